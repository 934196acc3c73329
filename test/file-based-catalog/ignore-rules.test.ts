// What .indexignore keeps out: patterns of gitignore, the last that fits decides.
import t from 'tap'
import { createIgnoreRules } from '../../src/file-based-catalog/ignore-rules.ts'

/** Text of the top folder's file, a path, whether it is kept out. */
const TABLE: readonly (readonly [text: string, path: string, ignored: boolean])[] = [
  ['README.md', 'README.md', true],
  ['README.md', 'a/b/README.md', true],
  ['README.md', 'readme.md', false],
  ['/README.md', 'a/README.md', false],
  ['docs/', 'docs/x', true],
  ['docs/', 'a/docs/x', true],
  ['docs/', 'docs', false],
  ['a/*.md', 'a/x.md', true],
  ['a/*.md', 'b/a/x.md', false],
  ['**/*.md', 'a/b/x.md', true],
  ['a/**', 'a/b/c', true],
  ['x[0-9]', 'x5', true],
  ['# comment\n\n  y  ', 'y', true],
  ['*\n!catalog.json', 'catalog.json', false],
  ['*\n!catalog.json', 'sub/catalog.json', false],
  ['*\n!catalog.json', 'sub/other.json', true],
  ['!x\nx', 'x', true],
  ['', 'x', false],
]

t.test('one file', async (t) => {
  for (const [text, path, ignored] of TABLE) {
    const rules = createIgnoreRules()
    rules.add('', text)
    t.equal(rules.ignores(path), ignored, `${JSON.stringify(text)}: ${path}`)
  }
})

t.test('files of sub-folders speak of what lies below them, and come after those above', async (t) => {
  const rules = createIgnoreRules()
  rules.add('', '*.md')
  rules.add('keep', '!*.md\n/top.txt')
  t.equal(rules.ignores('a.md'), true)
  t.equal(rules.ignores('keep/a.md'), false)
  t.equal(rules.ignores('keep/top.txt'), true)
  t.equal(rules.ignores('keep/sub/top.txt'), false)
  t.equal(rules.ignores('top.txt'), false)
})
