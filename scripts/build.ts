import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

type Part = {
  name: string
  /** Sources of the build. */
  folders: string[]
  files: string[]
  dist: string
  /** True if the build from sources with this digest exists. */
  isBuilt: (digest: string) => boolean
  build: (digest: string) => Promise<void>
}

const consoleDist = `${root}packages/console/dist`
const CONSOLE: Part = {
  name: 'the console',
  folders: ['packages/console', 'packages/contract/src'],
  files: ['package-lock.json'],
  dist: consoleDist,
  isBuilt: (digest) => existsSync(`${consoleDist}/index.html`) && stampOf(CONSOLE)[1] === digest,
  build: () =>
    run('packages/console', `${root}node_modules/vite/bin/vite.js`, 'build', '--logLevel', 'warn'),
}

const serverDist = `${root}packages/server/dist`
const mainOf = (digest: string) => `${serverDist}/${digest}/main.js`
const SERVER: Part = {
  name: 'the server',
  folders: ['packages/server/src', 'packages/contract/src'],
  files: [
    'packages/server/bundle.ts',
    'packages/server/package.json',
    'package.json',
    'package-lock.json',
  ],
  dist: serverDist,
  isBuilt: (digest) => existsSync(mainOf(digest)),
  async build(digest) {
    mkdirSync(serverDist, { recursive: true })
    const draft = `${serverDist}/.${process.pid}`
    try {
      await run('.', 'packages/server/bundle.ts', draft)
      renameSync(draft, `${serverDist}/${digest}`)
    } catch (e) {
      // another process may have built the same
      if (!SERVER.isBuilt(digest)) throw e
    } finally {
      rmSync(draft, { recursive: true, force: true })
    }
    removeFormerBuilds(digest)
  },
}

/** Kept because a server that still runs loads threads and vendors from its own build. */
const FORMER_BUILDS = 2

function removeFormerBuilds(current: string) {
  const former = readdirSync(serverDist)
    .filter((name) => name !== '.stamp' && name !== current)
    .map((name) => `${serverDist}/${name}`)
    .map((path) => ({ path, ms: statSync(path).mtimeMs }))
    .sort((a, b) => b.ms - a.ms)
  for (const { path } of former.slice(FORMER_BUILDS)) rmSync(path, { recursive: true, force: true })
}

const NO_SOURCES = ['node_modules', 'dist']

/** All files of a folder and those below. `globSync` takes several times as long, at every start. */
const filesIn = (folder: string): string[] =>
  readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
    if (NO_SOURCES.includes(entry.name)) return []
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesIn(path) : [path]
  })

/** Changes when a file is written: a start has no time to read a thousand files. */
function inodesOf(files: string[]) {
  const hash = createHash('sha256')
  for (const file of files) {
    const { ino, ctimeMs, size } = statSync(root + file)
    hash.update(`${file} ${ino} ${ctimeMs} ${size}\n`)
  }
  return hash.digest('hex')
}

function digestOf(files: string[]) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(file).update(readFileSync(root + file))
  return hash.digest('hex').slice(0, 16)
}

/** The inodes and the digest of what the last build is from. */
function stampOf({ dist }: Part) {
  try {
    return readFileSync(`${dist}/.stamp`, 'utf8').split('\n')
  } catch {
    return []
  }
}

/** Checks if a part has to be built, and computes the digest of its sources. `keep` is to be called once it is built. */
function look(part: Part) {
  const files = [...part.folders.flatMap(filesIn), ...part.files].sort()
  const inodes = inodesOf(files)
  const [inodesThen, digestThen] = stampOf(part)
  if (inodes === inodesThen && digestThen && part.isBuilt(digestThen))
    return { part, digest: digestThen, isBuilt: true, keep: () => undefined }
  const digest = digestOf(files)
  const keep = () => {
    try {
      writeFileSync(`${part.dist}/.stamp`, `${inodes}\n${digest}`)
    } catch (e) {
      // a copy that is read-only takes longer to start
      if (!part.isBuilt(digest)) throw e
    }
  }
  return { part, digest, isBuilt: part.isBuilt(digest), keep }
}

/**
 * Builds the console and the server, unless the existing builds have the same sources. Resolves to the file that
 * starts the server. Exits with 1 if a build fails.
 */
export async function build(): Promise<string> {
  const server = look(SERVER)
  const looks = [look(CONSOLE), server]
  const stale = looks.filter(({ isBuilt }) => !isBuilt)
  if (stale.length > 0) {
    console.log(`Building ${stale.map(({ part }) => part.name).join(' and ')}…`)
    await Promise.all(
      stale.map(({ part, digest }) =>
        part.build(digest).catch(() => {
          console.error(`Building ${part.name} failed. See the error above.`)
          process.exit(1)
        }),
      ),
    )
  }
  for (const { keep } of looks) keep()
  return mainOf(server.digest)
}

/** Runs a build in a process of its own, so that its memory and NODE_ENV do not stay with the server. */
async function run(folder: string, ...args: string[]) {
  const builder = spawn(process.execPath, args, {
    cwd: root + folder,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const kill = () => builder.kill('SIGKILL')
  const abort = () => process.exit(1)
  process.once('exit', kill)
  for (const signal of SIGNALS) process.once(signal, abort)
  const code = await new Promise<number | null>((resolve, reject) => {
    builder.once('error', reject)
    builder.once('exit', resolve)
  })
  process.off('exit', kill)
  for (const signal of SIGNALS) process.off(signal, abort)
  if (code !== 0) throw new Error(`${args[0]} exited with ${code}`)
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

if (import.meta.main) await build()
