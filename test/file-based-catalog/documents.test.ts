// Files cut into documents, however the reads happen to fall: JSON streams, YAML streams, what changes from one to the other.
import fc from 'fast-check'
import t from 'tap'
import { readDocuments, type SourceDocument } from '../../src/file-based-catalog/documents.ts'
import { openFileWindow } from '../../src/file-based-catalog/file-window.ts'
import { writeFiles } from '../fixtures/small-catalog.ts'

async function documentsOf(folder: string, content: string | Buffer): Promise<readonly SourceDocument[]> {
  await writeFiles(folder, { file: content })
  const window = await openFileWindow(Buffer.from(`${folder}/file`), 1e8)
  try {
    const documents: SourceDocument[] = []
    for await (const document of readDocuments(window)) documents.push(document)
    return documents
  } finally {
    await window.close()
  }
}

function valuesOf(documents: readonly SourceDocument[]): readonly unknown[] {
  return documents.map((document) => ('value' in document ? document.value : document.fault.message))
}

const TABLE: readonly (readonly [content: string, values: readonly unknown[]])[] = [
  ['', []],
  ['{"a":1}', [{ a: 1 }]],
  ['{"a":1}{"b":[{}]} \n {"c":"}{\\""}\n', [{ a: 1 }, { b: [{}] }, { c: '}{"' }]],
  ['a: 1\n', [{ a: 1 }]],
  ['a: 1\n---\nb: 2\n---\n', [{ a: 1 }, { b: 2 }]],
  ['---\na: 1\n--- # words\nb: 2', [{ a: 1 }, { b: 2 }]],
  ['a: 1\r\n---\r\nb: 2\r\n', [{ a: 1 }, { b: 2 }]],
  ['\ufeffa: 1\n', [{ a: 1 }]],
  ['a: |\n  ---\n  x\n', [{ a: '---\nx\n' }]],
  ['---\n---\n', [null]],
  ['a: 1\n--- b\nc: 2\n', ['invalid Yaml document separator: b', { c: 2 }]],
  ['{"a":1}\n---\n{"b":2}\n---\nc: 3\n', [{ a: 1 }, { b: 2 }, { c: 3 }]],
  ['{a: 1, }\n', [{ a: 1 }]],
  ['{"a":1}{"b":2}{"c":', [{ a: 1 }, { b: 2 }, 'unexpected EOF']],
  ['{"a":1}{"b":2} x', [{ a: 1 }, { b: 2 }, "invalid character 'x' looking for beginning of value"]],
  ['{"a":1,}}', [{ a: 1 }]],
  ['{"a":1,]}', ["invalid character ']' looking for beginning of object key string"]],
  ['{"a":"\u0000"}', ["invalid character '\\x00' in string literal"]],
  ['a: "\u0000"', ['yaml: control characters are not allowed']],
  ['a:\n\tb: 1\n---\nc: 2\n', ['yaml: line 2: found character that cannot start any token', { c: 2 }]],
]

t.test('documents by file', async (t) => {
  for (const [content, values] of TABLE) {
    t.strictSame(valuesOf(await documentsOf(t.testdir(), content)), values, JSON.stringify(content))
  }
  t.strictSame(valuesOf(await documentsOf(t.testdir(), Buffer.from([0x61, 0x3a, 0x20, 0xff]))), [
    'yaml: invalid leading UTF-8 octet',
  ])
})

t.test('each document lies where it says', async (t) => {
  const content = '{"a":1}\n\n{"b":2}\n'
  const documents = await documentsOf(t.testdir(), content)
  t.strictSame(
    documents.map(({ offset, length }) => content.slice(offset, offset + length).trim()),
    ['{"a":1}', '{"b":2}'],
  )
})

t.test('streams of any values, also across the limits of reads', async (t) => {
  const folder = t.testdir()
  const padding = fc.integer({ min: 0, max: 300_000 }).map((length) => '"\\{}'.repeat(length / 4))
  const value = fc.oneof({ arbitrary: fc.dictionary(fc.string(), fc.json()), weight: 4 }, fc.record({ padding }))
  const property = fc.asyncProperty(fc.array(value, { maxLength: 5 }), fc.boolean(), async (values, asYaml) => {
    const texts = values.map((item) => JSON.stringify(item))
    const content = asYaml ? texts.map((text) => `---\n${text}\n`).join('') : texts.join('\n')
    t.strictSame(valuesOf(await documentsOf(folder, content)), JSON.parse(JSON.stringify(values)))
  })
  await fc.assert(property, { numRuns: 40 })
})
