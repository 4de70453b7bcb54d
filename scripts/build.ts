import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const STAMP = `${root}packages/console/dist/.stamp`

const NO_SOURCES = ['node_modules', 'dist']

/** All files of a folder and those below. `globSync` takes several times as long, at every start. */
const filesIn = (folder: string): string[] =>
  readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
    if (NO_SOURCES.includes(entry.name)) return []
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesIn(path) : [path]
  })

/** A digest of all files that the console is built from. */
function sources() {
  const folders = ['packages/console', 'packages/contract/src']
  const files = [...folders.flatMap(filesIn), 'package-lock.json']
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(file).update(readFileSync(root + file))
  return hash.digest('hex')
}

const stamp = () => {
  try {
    return readFileSync(STAMP, 'utf8')
  } catch {
    return undefined
  }
}

/** Builds the console, unless the existing build has the same sources. Exits with 1 if the build fails. */
export async function buildConsole() {
  const now = sources()
  if (stamp() === now) return
  console.log('Building the console…')
  // in its own process, so that the build's memory and NODE_ENV do not stay with the server
  const vite = spawn(
    process.execPath,
    [`${root}node_modules/vite/bin/vite.js`, 'build', '--logLevel', 'warn'],
    {
      cwd: `${root}packages/console`,
      stdio: 'inherit',
      env: { ...process.env, NODE_ENV: 'production' },
    },
  )
  const abort = () => {
    vite.kill('SIGKILL')
    process.exit(1)
  }
  for (const signal of SIGNALS) process.once(signal, abort)
  const code = await new Promise<number | null>((resolve, reject) => {
    vite.once('error', reject)
    vite.once('exit', resolve)
  })
  for (const signal of SIGNALS) process.off(signal, abort)
  if (code !== 0) {
    console.error('The console could not be built. See the error above.')
    process.exit(1)
  }
  writeFileSync(STAMP, now)
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
