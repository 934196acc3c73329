// The process of the package-server: argv, environment, signals and exit code, nothing else.
import process from 'node:process'
import { parseCommand } from '../command-line/command-line.ts'
import { runProgram } from '../command-line/program.ts'
import { VERSION } from '../command-line/version.ts'
import { PACKAGE_SERVER } from './options.ts'

await runProgram(process, 'package-server', async (signal) => {
  const parsed = parseCommand(PACKAGE_SERVER, process.argv.slice(2), VERSION)
  if (parsed.kind === 'print') {
    process.stdout.write(parsed.text)
    return 0
  }
  const { runInCluster } = await import('./cluster.ts')
  await runInCluster(parsed.options, {
    signal,
    environment: process.env,
    stdout: process.stdout,
    nodeVersion: process.version,
    onLevelSignal: (listener) => process.on('SIGUSR2', listener),
  })
  return 0
})
