// One digest of many, whatever their order: registries list in no order that means anything. Adds as digests come, so that there
// is nothing to sort at the end.

export interface Fingerprint {
  /** Base64 of 32 bytes, such as hash('sha256', …, 'base64') makes. */
  add(digest: string): void
  value(): string
}

const WORDS = 8

/** Sums modulo 2^32, word by word: the same for the same digests, each as often as it was added. */
export function createFingerprint(): Fingerprint {
  const sums = new Uint32Array(WORDS)
  let count = 0
  return {
    add(digest) {
      const bytes = Buffer.from(digest, 'base64')
      for (let word = 0; word < WORDS; word++) sums[word] = (sums[word] ?? 0) + bytes.readUInt32LE(word * 4)
      count++
    },
    value: () => `${count}:${Buffer.from(sums.buffer).toString('base64')}`,
  }
}
