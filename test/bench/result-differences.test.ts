import t from 'tap'
import { type BenchResult, type Row, reached, resultTable, thisMachine } from '../../bench/result.ts'
import { differences } from '../../bench/result-differences.ts'

const row = (more: Partial<Row>): Row => ({ group: 'g', name: 'n', unit: 'ms', value: 10, ...more })
const run = (...rows: Row[]): BenchResult => ({
  date: '2026-01-02T03:04:05.000Z',
  seconds: 1,
  quick: true,
  base: 'a, b',
  machine: thisMachine(),
  loadAtEnd: 0,
  rows,
})

t.test('times and sizes are better small, rates and ratios large', async (t) => {
  const verdict = (before: Partial<Row>, after: Partial<Row>) =>
    differences(run(row(before)), run(row(after)), 0.2).map((one) => one.verdict)
  t.strictSame(verdict({ value: 10 }, { value: 13 }), ['worse'])
  t.strictSame(verdict({ value: 13 }, { value: 10 }), ['better'])
  t.strictSame(verdict({ value: 10 }, { value: 11 }), ['same'])
  t.strictSame(verdict({ unit: '/s', value: 10 }, { unit: '/s', value: 13 }), ['better'])
  t.strictSame(verdict({ unit: '/s', value: 13 }, { unit: '/s', value: 10 }), ['worse'])
})

t.test('where there are ratios they count, not the figures of a busy or a quiet machine', async (t) => {
  const before = run(row({ unit: '/s', value: 100, ratio: 0.8 }))
  const after = run(row({ unit: '/s', value: 10, ratio: 0.82 }))
  t.strictSame(
    differences(before, after, 0.2).map(({ verdict }) => verdict),
    ['same'],
  )
})

t.test('rows of one result alone are told', async (t) => {
  const found = differences(run(row({ name: 'old' })), run(row({ name: 'new' })), 0.2)
  t.strictSame(
    found.map(({ verdict, text }) => [verdict, text]),
    [
      ['new', 'g: new'],
      ['gone', 'g: old'],
    ],
  )
})

t.test('a goal is of the ratio where there is one', async (t) => {
  t.equal(reached(row({})), undefined)
  t.equal(reached(row({ value: 5, ratio: 0.9, goal: { atLeast: 0.8 } })), true)
  t.equal(reached(row({ value: 5, ratio: 0.7, goal: { atLeast: 0.8 } })), false)
  t.equal(reached(row({ value: 51, goal: { atMost: 50 } })), false)
})

t.test('the table names every row, its goal and whether it was reached', async (t) => {
  const table = resultTable(run(row({ goal: { atMost: 5 } }), row({ group: 'h', ratio: 0.5, limit: 20, value: 10 })))
  t.match(table, '| n | 10 ms | ≤ 5 | **no** |')
  t.match(table, '| n | 10 ms | 20 | 0.5 |')
})
