import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const STAMP = `${root}packages/console/dist/.stamp`

/** What the console is built from, as one digest. */
function sources() {
  const files = globSync(
    ['packages/console/**/*', 'packages/contract/src/**/*.ts', 'package-lock.json'],
    {
      cwd: root,
      exclude: (name) => /(^|\/)(node_modules|dist)(\/|$)/.test(name),
      withFileTypes: false,
    },
  ).filter((f) => /\.\w+$/.test(f))
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

/** Builds the console unless what is there was built from the same sources. */
export async function buildConsole() {
  const now = sources()
  if (stamp() === now) return
  console.log('Building the console…')
  // loaded only when needed: a warm start should not pay for it
  const { build } = await import('vite')
  await build({ root: `${root}packages/console`, logLevel: 'warn' })
  writeFileSync(STAMP, now)
}
