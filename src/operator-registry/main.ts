#!/usr/bin/env node
// The process of the operator registry: arguments, standard streams, signals, exit code.
import { runProgram } from '../command-line/program.ts'
import { loadCatalog } from '../file-based-catalog/load-catalog.ts'
import { runVerb } from './run-verb.ts'

const { stdout, stderr } = process

await runProgram(process, 'operator-registry', (signal) =>
  runVerb(process.argv.slice(2), { load: loadCatalog, stdout, stderr, signal, environment: process.env }),
)
