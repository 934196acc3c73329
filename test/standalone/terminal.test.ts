import { PassThrough } from 'node:stream'
import t from 'tap'
import { createTerminal, type Screen } from '../../src/standalone/terminal.ts'

function recorded(tty: boolean): { readonly screen: Screen; readonly text: () => string } {
  const stream = new PassThrough()
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  // What a terminal has beyond a stream, as far as a bar asks for it.
  const screen = Object.assign(stream, { isTTY: tty, columns: 120, rows: 40, getWindowSize: () => [120, 40] })
  return { screen, text: () => Buffer.concat(chunks).toString() }
}

t.test('plain lines where there is no terminal', async (t) => {
  const { screen, text } = recorded(false)
  const terminal = createTerminal(screen)
  terminal.begin('community')
  terminal.line('olm/community: 12 packages')
  terminal.end('community')
  terminal.close()
  t.equal(text(), 'community: loading\nolm/community: 12 packages\n')
})

t.test('a bar on a terminal, lines above it, nothing left of it', async (t) => {
  const { screen, text } = recorded(true)
  const terminal = createTerminal(screen)
  terminal.line('before')
  terminal.begin('community')
  terminal.begin('redhat')
  terminal.line('olm/community: 12 packages')
  terminal.end('community')
  terminal.end('redhat')
  terminal.line('after')
  terminal.close()
  const seen = text()
  t.match(seen, /^before\n/)
  t.match(seen, /olm\/community: 12 packages\n/)
  t.match(seen, /loading catalogs \[.*\] 1\/2 redhat/)
  t.ok(seen.includes('\u001B[?25h'), 'the cursor is back')
  t.match(seen, /after\n$/)
  terminal.close()
  t.equal(text(), seen, 'closing twice says nothing')
})
