// Tries inputs of a seed on the targets in turn. Receives how many, hands on what was tried and every input that something was wrong
// with; each is kept in `kept/`, where it is tried for ever after.
import { hash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type FuzzTarget, fuzzTargets, LONGEST_MS } from './fuzz-targets.ts'
import { seededChance } from './mutation.ts'

const KEPT = fileURLToPath(new URL('./kept', import.meta.url))

export interface FuzzFinding {
  readonly target: string
  readonly seed: number
  readonly input: string
  readonly reason: string
}

export interface FuzzReport {
  readonly tried: Readonly<Record<string, number>>
  readonly slowestMs: number
  readonly findings: readonly FuzzFinding[]
}

export interface FuzzOptions {
  readonly inputs: number
  readonly seed: number
  readonly onProgress?: (tried: number) => void
}

export async function runFuzz({ inputs, seed, onProgress }: FuzzOptions): Promise<FuzzReport> {
  const { targets, close } = fuzzTargets()
  const tried: Record<string, number> = {}
  const findings: FuzzFinding[] = []
  let slowestMs = 0
  try {
    for (let index = 0; index < inputs; index++) {
      const target = targets[index % targets.length]
      if (target === undefined) break
      const own = seed + index
      const input = target.make(seededChance(own))
      const began = performance.now()
      const reason = await faultOf(target, input)
      const took = performance.now() - began
      slowestMs = Math.max(slowestMs, took)
      tried[target.name] = (tried[target.name] ?? 0) + 1
      const found = reason ?? (took > LONGEST_MS ? `took ${Math.round(took)} ms` : undefined)
      if (found !== undefined) findings.push({ target: target.name, seed: own, input, reason: found })
      if (index % 100 === 99) {
        onProgress?.(index + 1)
        await nextTurn()
      }
    }
  } finally {
    close()
  }
  return { tried, slowestMs, findings }
}

async function faultOf(target: FuzzTarget, input: string): Promise<string | undefined> {
  try {
    await target.attempt(input)
    return undefined
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
}

/** A file for each, named by its target and content. */
export function keepFindings(findings: readonly FuzzFinding[]): readonly string[] {
  mkdirSync(KEPT, { recursive: true })
  return findings.map(({ target, input }) => {
    const name = `${target}.${hash('sha256', input, 'hex').slice(0, 16)}.txt`
    writeFileSync(join(KEPT, name), input)
    return name
  })
}

/** Everything that once was wrong, tried again: name → what is wrong with it still. */
export async function retryKept(): Promise<ReadonlyMap<string, string | undefined>> {
  const { targets, close } = fuzzTargets()
  const found = new Map<string, string | undefined>()
  try {
    for (const file of readdirSync(KEPT).filter((name) => name.endsWith('.txt'))) {
      const target = targets.find(({ name }) => file.startsWith(`${name}.`))
      if (target === undefined) throw new Error(`${file}: of no target`)
      found.set(file, await faultOf(target, readFileSync(join(KEPT, file), 'utf8')))
    }
  } finally {
    close()
  }
  return found
}
