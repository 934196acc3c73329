// Ready bytes of compact JSON in, the same answer in the style that was negotiated out: as it is, indented, or YAML.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { indentJson } from './indented-json.ts'
import { splitList } from './list-split.ts'
import type { Style } from './negotiate.ts'
import { yamlText } from './yaml-text.ts'

export const STYLE_TYPES: Readonly<Record<Style, string>> = {
  json: 'application/json',
  'indented-json': 'application/json',
  yaml: 'application/yaml',
}

/** Told apart in ETags: a kept YAML answer is not confirmed for one that now wants JSON. */
export const STYLE_TAGS: Readonly<Record<Style, string>> = { json: '', 'indented-json': '-indented', yaml: '-yaml' }

/** Below this many bytes compressing an answer costs more than it saves. */
const WORTH_COMPRESSING = 1400
const gzipLater = promisify(gzip)

export async function restyle(body: readonly Uint8Array[], style: Style): Promise<readonly Uint8Array[]> {
  switch (style) {
    case 'json':
      return body
    case 'indented-json':
      return indentJson(body)
    case 'yaml':
      return yamlOf(body)
    default:
      return style satisfies never
  }
}

/** One gzip stream, made in a worker thread; undefined where it is not worth it. */
export async function compress(body: readonly Uint8Array[]): Promise<readonly Uint8Array[] | undefined> {
  const whole = Buffer.concat(body)
  return whole.byteLength < WORTH_COMPRESSING ? undefined : [await gzipLater(whole, { level: 4 })]
}

/** A list is written item by item, with turns of the event loop between. */
async function yamlOf(body: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
  const whole = Buffer.concat(body)
  const split = await splitList(whole)
  if (split === undefined || split.items.length === 0)
    return [Buffer.from(yamlText(JSON.parse(whole.toString('utf8'))))]
  const envelope = JSON.parse(Buffer.from(split.envelope).toString('utf8')) as Readonly<Record<string, unknown>>
  const parts: Uint8Array[] = []
  for (const name of Object.keys(envelope).sort()) {
    if (name !== 'items') {
      parts.push(Buffer.from(yamlText({ [name]: envelope[name] })))
      continue
    }
    parts.push(Buffer.from('items:\n'))
    for (const [start, end] of split.items) {
      parts.push(Buffer.from(yamlText([JSON.parse(whole.toString('utf8', start, end))])))
      await nextTurn()
    }
  }
  return parts
}
