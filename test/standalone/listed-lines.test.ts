import t from 'tap'
import { createListedLines } from '../../src/standalone/listed-lines.ts'
import { catalogSource } from '../fixtures/read-catalogs.ts'

t.test('one line per catalog, again only where it is another', async (t) => {
  const lines: string[] = []
  const ended: string[] = []
  const begun: string[] = []
  const news = createListedLines({
    line: (text) => lines.push(text),
    begin: (name) => begun.push(name),
    end: (name) => ended.push(name),
  })
  const reading = { readAt: 0, packages: 1, channels: 1, bytes: 1, leftOut: [] }
  const source = catalogSource('a', 'a:1')
  news.trying?.(source)
  news.failed?.(source, 'gone')
  news.listed?.(source, reading)
  news.listed?.(source, { ...reading, readAt: 1 })
  news.listed?.(source, { ...reading, packages: 2, leftOut: [{ package: 'x', channel: undefined, reason: 'y' }] })
  t.strictSame(lines, [
    'olm/a: 1 package',
    'olm/a: 2 packages (1 left out: kubectl get catalogstatuses -A -o yaml says why)',
  ])
  t.strictSame(begun, ['olm/a'])
  t.strictSame(ended, ['olm/a', 'olm/a', 'olm/a', 'olm/a'])
})
