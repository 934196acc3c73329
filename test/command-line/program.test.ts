import { EventEmitter } from 'node:events'
import t from 'tap'
import { type ProcessLike, runProgram } from '../../src/command-line/program.ts'
import { OlmError } from '../../src/errors.ts'

/** A process whose exit is an event, and whose standard error is a text. */
function fakeProcess() {
  const events = new EventEmitter()
  const written: string[] = []
  const codes: number[] = []
  const fake = {
    on: (name: string, listener: () => void) => events.on(name, listener),
    exit: (code: number) => void codes.push(code),
    stderr: { on: () => {}, write: (text: string) => written.push(text) },
    stdout: { on: () => {}, write: () => true },
  }
  return { process: fake as unknown as ProcessLike, events, written, codes }
}

t.test('exit codes, and one line on standard error', async (t) => {
  const cases: readonly (readonly [unknown, number, string])[] = [
    [new OlmError('USAGE', { reason: '--x: unknown flag' }), 2, 'sample: --x: unknown flag\n'],
    [new OlmError('FILE_UNREADABLE', { file: 'a', reason: 'not there' }), 2, 'sample: a: not there\n'],
    [
      new OlmError('PORT_IN_USE', { address: 'h:1', flag: '--p' }),
      2,
      'sample: h:1: port in use: choose another with --p\n',
    ],
    [new Error('one\n  two'), 1, 'sample: one two\n'],
    ['text', 1, 'sample: text\n'],
  ]
  for (const [thrown, code, line] of cases) {
    const { process, written, codes } = fakeProcess()
    await runProgram(process, 'sample', () => Promise.reject(thrown))
    t.strictSame([codes, written.join('')], [[code], line])
  }
  const { process, codes } = fakeProcess()
  await runProgram(process, 'sample', async () => undefined)
  await runProgram(process, 'sample', async () => 3)
  t.strictSame(codes, [0, 3])
})

t.test('the first signal aborts, a later one ends at once, an echo of the first does not', async (t) => {
  const { process, events, codes } = fakeProcess()
  let finish = () => {}
  const running = runProgram(process, 'sample', (signal) => {
    return new Promise((resolve) => {
      finish = () => resolve(signal.aborted ? 0 : 9)
    })
  })
  events.emit('SIGINT')
  events.emit('SIGINT')
  t.strictSame(codes, [], 'npm passes on what the terminal has sent already')
  const clock = performance.now
  performance.now = () => clock.call(performance) + 600
  t.teardown(() => {
    performance.now = clock
  })
  events.emit('SIGTERM')
  t.strictSame(codes, [143])
  finish()
  await running
  t.strictSame(codes, [143, 0])
})
