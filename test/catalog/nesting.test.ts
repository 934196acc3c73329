import fc from 'fast-check'
import t from 'tap'
import { stringify } from 'yaml'
import { parseCatalogSourceFile } from '../../src/catalog/catalog-source-file.ts'
import { tooDeepAt } from '../../src/catalog/nesting.ts'

t.test('what nests too deeply is refused at its line, before it costs anything', async (t) => {
  const cases = {
    lists: '['.repeat(200_000),
    maps: '{a: '.repeat(200_000),
    dashes: '- '.repeat(200_000),
    marks: '? '.repeat(200_000),
    closed: `${'['.repeat(101)}${']'.repeat(101)}`,
    'over lines': '[\n'.repeat(200),
  }
  for (const [name, text] of Object.entries(cases)) {
    const started = performance.now()
    const file = parseCatalogSourceFile(`# a comment\n${text}`)
    t.match(file, { ok: false, line: name === 'over lines' ? 102 : 2, reason: 'nested too deeply' }, name)
    t.ok(performance.now() - started < 1000, `${name}: at once`)
  }
})

t.test('what does not, passes', async (t) => {
  t.equal(tooDeepAt(`${'['.repeat(100)}${']'.repeat(100)}`), undefined)
  t.equal(tooDeepAt('- a\n'.repeat(10_000)), undefined, 'a long list')
  t.equal(tooDeepAt(`a: "${'['.repeat(1000)}"`), undefined, 'brackets in a text')
  t.equal(tooDeepAt(`a: |\n  ${'- '.repeat(1000)}\n`), undefined, 'dashes in a block')
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 20 }),
      (value) => tooDeepAt(stringify(value)) === undefined && tooDeepAt(JSON.stringify(value)) === undefined,
    ),
  )
})
