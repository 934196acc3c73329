// Two thousand inputs of a fixed seed, and everything that once was wrong. `npm run fuzz` tries more.
import t from 'tap'
import { retryKept, runFuzz } from './fuzz-run.ts'
import { mutateJson, seededChance } from './mutation.ts'

t.test('two thousand inputs', { timeout: 170_000 }, async (t) => {
  const { tried, findings } = await runFuzz({ inputs: 2000, seed: 20_260_101 })
  for (const { target, seed, input, reason } of findings) t.fail(`${target} ${seed}: ${reason}\n${input.slice(0, 500)}`)
  t.same(Object.values(tried), [400, 400, 400, 400, 400])
})

t.test('what once was wrong', async (t) => {
  for (const [file, reason] of await retryKept()) t.equal(reason, undefined, file)
})

t.test('the same seed, the same input', async (t) => {
  const seed = { a: [1, 'b', { c: null }], d: 'e' }
  const made = (chance: number) => JSON.stringify(mutateJson(seed, seededChance(chance)))
  const all = Array.from({ length: 200 }, (_, index) => made(index))
  t.ok(new Set(all).size > 100, 'they differ')
  t.same(
    all,
    Array.from({ length: 200 }, (_, index) => made(index)),
  )
  t.equal(JSON.stringify(seed), '{"a":[1,"b",{"c":null}],"d":"e"}', 'the seed stays')
})
