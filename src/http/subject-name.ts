// Who a certificate says it is: the subject read from its DER bytes, so that no way of printing names stands between.
// Receives a certificate, hands on the names that Kubernetes reads. Never judges.
import type { X509Certificate } from 'node:crypto'

export interface SubjectNames {
  /** The last common name, `""` where there is none. */
  readonly commonName: string
  readonly organizations: readonly string[]
  /** Attribute 1.3.6.1.4.1.57683.2 (KEP-5279); undefined where there is none, null where there are several or an empty one. */
  readonly uid: string | undefined | null
}

interface Element {
  readonly tag: number
  readonly body: Buffer
}

const COMMON_NAME = '550403'
const ORGANIZATION = '55040a'
/** 1.3.6.1.4.1.57683.2 */
const USER_ID = '2b0601040183c25302'

const SEQUENCE = 0x30
const SET = 0x31
const OBJECT_IDENTIFIER = 0x06
const VERSION_FIELD = 0xa0
const BMP_STRING = 0x1e
/** UTF8String, PrintableString, TeletexString, IA5String: read as UTF-8 (of which ASCII is a part). */
const PLAIN_STRINGS: ReadonlySet<number> = new Set([0x0c, 0x13, 0x14, 0x16])

/** A subject that does not decode has no names. */
export function subjectNames(certificate: Pick<X509Certificate, 'raw'>): SubjectNames {
  const attributes = subjectAttributes(certificate.raw)
  const values = (type: string) => attributes.filter((one) => one.type === type).map((one) => one.value)
  const uids = values(USER_ID)
  return {
    commonName: values(COMMON_NAME).at(-1) ?? '',
    organizations: values(ORGANIZATION),
    uid: uids.length === 0 ? undefined : uids.length > 1 || uids[0] === '' ? null : uids[0],
  }
}

/** RFC 5280, 4.1: Certificate -> TBSCertificate -> [version], serial, algorithm, issuer, validity, subject. */
function subjectAttributes(der: Buffer): { readonly type: string; readonly value: string }[] {
  const signed = elements(elements(der)[0]?.body)[0]?.body
  const fields = elements(signed)
  const subject = fields[fields[0]?.tag === VERSION_FIELD ? 5 : 4]
  if (subject?.tag !== SEQUENCE) return []
  return elements(subject.body)
    .filter((name) => name.tag === SET)
    .flatMap((name) => elements(name.body))
    .map((attribute) => elements(attribute.body))
    .flatMap(([type, value]) => {
      if (type?.tag !== OBJECT_IDENTIFIER || value === undefined) return []
      return [{ type: type.body.toString('hex'), value: textOf(value) }]
    })
}

function textOf({ tag, body }: Element): string {
  if (PLAIN_STRINGS.has(tag)) return body.toString('utf8')
  return tag === BMP_STRING && body.length % 2 === 0 ? Buffer.from(body).swap16().toString('utf16le') : ''
}

/** The elements of one level; what is cut short ends the list. */
function elements(bytes: Buffer | undefined): Element[] {
  const found: Element[] = []
  let at = 0
  while (bytes !== undefined && at + 2 <= bytes.length) {
    const tag = bytes[at] ?? 0
    const first = bytes[at + 1] ?? 0
    const more = first < 0x80 ? 0 : first & 0x7f
    if (more > 4 || at + 2 + more > bytes.length) break
    const length = more === 0 ? first & 0x7f : bytes.readUIntBE(at + 2, more)
    const start = at + 2 + more
    if (start + length > bytes.length) break
    found.push({ tag, body: bytes.subarray(start, start + length) })
    at = start + length
  }
  return found
}
