// The process of `npm start`: argv, environment, signals and exit code, nothing else.
import process from 'node:process'
import { parseCommand } from '../command-line/command-line.ts'
import { runProgram } from '../command-line/program.ts'
import { VERSION } from '../command-line/version.ts'
import { STANDALONE } from './options.ts'

await runProgram(process, 'olm', async (signal) => {
  const parsed = parseCommand(STANDALONE, process.argv.slice(2), VERSION)
  if (parsed.kind === 'print') {
    process.stdout.write(parsed.text)
    return 0
  }
  const { runStandalone } = await import('./standalone.ts')
  const { env: environment, stdout, stderr } = process
  await runStandalone(parsed.options, { signal, environment, stdout, stderr })
  return 0
})
