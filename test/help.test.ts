// What each program says about itself: `--help` as a golden file, and the README's tables equal to it.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { helpText } from '../src/command-line/help-text.ts'
import { programHelp } from '../src/command-line/sub-commands.ts'
import { PROGRAM } from '../src/operator-registry/options.ts'
import { COMMANDS, README, withOptions } from './presubmit/readme-options.ts'

for (const [name, command] of Object.entries(COMMANDS)) {
  t.test(`${name} --help`, async (t) => {
    t.matchSnapshot(helpText(command))
  })
}

t.test('operator-registry --help', async (t) => {
  t.matchSnapshot(programHelp(PROGRAM))
})

t.test("the README's tables of options", async (t) => {
  const readme = readFileSync(README, 'utf8')
  t.equal(withOptions(readme), readme, 'up to date: `npm run readme:options` makes them so')
})
