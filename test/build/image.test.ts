// The Dockerfile without an engine: read by a linter, its steps done by hand in a folder, and what comes out of it started.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DockerfileParser, type Instruction } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'
import ignore from 'ignore'
import t from 'tap'
import { ROOT } from '../presubmit/source-files.ts'

const TEXT = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
const run = promisify(execFile)
t.setTimeout(170_000)

const dockerfile = DockerfileParser.parse(TEXT)
const stages: Instruction[][] = []
for (const instruction of dockerfile.getInstructions()) {
  if (instruction.getKeyword() === 'FROM') stages.push([])
  stages.at(-1)?.push(instruction)
}
const [buildStage = [], lastStage = []] = stages

function argumentsOf(stage: readonly Instruction[], keyword: string): string[] {
  return stage
    .filter((instruction) => instruction.getKeyword() === keyword)
    .map((instruction) => instruction.getRawArgumentsContent() ?? '')
}

t.test('the linter has nothing to say', async (t) => {
  t.strictSame(
    validate(TEXT, {}).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`),
    [],
  )
})

t.test('stages, user, labels, entry point', async (t) => {
  t.equal(stages.length, 2)
  t.match(TEXT, /^ARG RUN_BASE=gcr\.io\/distroless\/nodejs24-debian\d+:nonroot$/m)
  t.notMatch(TEXT, /@sha256:/, 'digests are put in by a release')
  t.match(TEXT, /^FROM --platform=\$BUILDPLATFORM /m, 'one bundling for all architectures')
  t.strictSame(argumentsOf(lastStage, 'USER'), ['65532:65532'])
  t.strictSame(argumentsOf(lastStage, 'WORKDIR'), ['/'])
  t.strictSame(argumentsOf(lastStage, 'ENTRYPOINT'), ['["/bin/package-server"]'])
  t.strictSame(argumentsOf(lastStage, 'RUN'), [], 'nothing there could run it')
  const [labels = ''] = argumentsOf(lastStage, 'LABEL')
  for (const name of ['title', 'description', 'licenses', 'version', 'revision', 'source'])
    t.match(labels, `org.opencontainers.image.${name}=`)
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  t.match(TEXT, `ARG VERSION=${version}\n`)
})

/** Does what one instruction of the building stage says, in `root`. */
async function perform(instruction: Instruction, root: string): Promise<void> {
  const given = instruction.getRawArgumentsContent() ?? ''
  if (instruction.getKeyword() === 'COPY') {
    const parts = given.split(/\s+/)
    const target = parts.pop() ?? ''
    for (const part of parts) {
      const to = target.endsWith('/') ? join(root, target, part) : join(root, target)
      cpSync(join(ROOT, part), to, { recursive: true })
    }
  }
  if (instruction.getKeyword() !== 'RUN') return
  if (given === 'npm ci') {
    // What is installed already is what the lock file says: tests run after the same command.
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
    return
  }
  await run('sh', ['-ec', given.replaceAll(' /image', ` ${join(root, '..', 'image')}`)], { cwd: root })
}

t.test('what is copied is let through, and nothing else of the repository', async (t) => {
  const ignored = ignore().add(readFileSync(join(ROOT, '.dockerignore'), 'utf8'))
  const wanted = argumentsOf(buildStage, 'COPY').flatMap((given) => given.split(/\s+/).slice(0, -1))
  for (const path of wanted) {
    t.ok(existsSync(join(ROOT, path)), `${path} exists`)
    t.notOk(ignored.ignores(path), `${path} is let through`)
  }
  for (const path of ['node_modules', '.git', 'dist', 'test', '.olm', 'README.md']) t.ok(ignored.ignores(path), path)
})

t.test('the steps by hand', async (t) => {
  const scratch = mkdtempSync(join(tmpdir(), 'image-'))
  t.teardown(() => rmSync(scratch, { recursive: true, force: true }))
  const source = join(scratch, 'source')
  mkdirSync(source)
  for (const instruction of buildStage) await perform(instruction, source)
  const root = join(scratch, 'root')
  for (const given of argumentsOf(lastStage, 'COPY')) {
    const [from = '', to = ''] = given.replace(/^--from=build\s+/, '').split(/\s+/)
    cpSync(join(scratch, from), join(root, to), { recursive: true, verbatimSymlinks: true })
  }

  const programs = ['package-server', 'operator-registry', 'opm']
  for (const name of programs) {
    const link = join(root, 'usr/bin', name)
    t.ok(lstatSync(link).isSymbolicLink())
    const file = join(root, readlinkSync(link))
    t.equal(lstatSync(file).mode & 0o777, 0o755, `${name} may be started`)
    const [first = ''] = readFileSync(file, 'utf8').split('\n', 1)
    t.equal(first, '#!/nodejs/bin/node --disable-sigusr1')
    const [, ...flags] = first.split(' ')
    const { stdout } = await run(process.execPath, [...flags, file, '--version'], { cwd: root, env: {} })
    t.match(stdout, /\d+\.\d+\.\d+/)
  }
  t.notOk(existsSync(join(root, 'app/standalone.mjs')))
  const { stdout: sizes } = await run(process.execPath, ['build/image-size.ts'], { cwd: source })
  t.match(sizes, /^total, uncompressed\s+1\d\d\.\d MiB$/m)

  const catalog = join(ROOT, 'src/standalone/catalogs/commons-operators')
  const opm = join(root, readlinkSync(join(root, 'usr/bin/opm')))
  const served = spawn(
    process.execPath,
    ['--disable-sigusr1', opm, 'serve', catalog, '--port=0', `--termination-log=${join(scratch, 'end')}`],
    {
      cwd: root,
      env: {},
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  t.teardown(() => served.kill('SIGKILL'))
  let log = ''
  served.stderr.setEncoding('utf8')
  for await (const chunk of served.stderr as AsyncIterable<string>) {
    log += chunk
    if (/serving/i.test(log)) break
  }
  t.match(log, /serving/i, 'a catalog is served')
  served.kill('SIGTERM')
  const [code] = (await once(served, 'exit')) as [number]
  t.equal(code, 0)
})
