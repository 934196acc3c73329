// A folder that a flag names and that cannot be read: the failure with its way out. Pure.
import { OlmError } from '../errors.ts'

/** The failure as it was thrown, or, where it is about one of these folders, with the flag that names it. */
export function withFlag(thrown: unknown, folders: Readonly<Record<`--${string}`, string>>): unknown {
  if (!(thrown instanceof OlmError) || thrown.code !== 'FILE_UNREADABLE') return thrown
  const { file, reason } = thrown.facts
  const flag = Object.keys(folders).find((name) => folders[name as `--${string}`] === file)
  if (flag === undefined) return thrown
  const facts = { ...thrown.facts, reason: `${reason}: choose another folder with ${flag}` }
  return new OlmError(thrown.code, facts, { cause: thrown.cause })
}
