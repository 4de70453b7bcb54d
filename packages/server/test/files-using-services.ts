import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Environment variables that choose the database and the services of tests. */
const SERVICES = /process\.env\.(?:TEST_|SIPP|TSHARK)/

/**
 * The server's test files that use the chosen database or another service, by themselves or through test
 * support. Only these can differ between the databases, so only these run on each.
 */
export function filesUsingServices(): string[] {
  const known = new Map<string, boolean>()
  const uses = (file: string): boolean => {
    const before = known.get(file)
    if (before !== undefined) return before
    known.set(file, false)
    const text = readFileSync(file, 'utf8')
    const support = [...text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)]
      .map((m) => join(file, '..', m[1]!))
      .filter((to) => to.startsWith(join(root, 'packages/server/test')))
    const found = SERVICES.test(text) || support.some(uses)
    known.set(file, found)
    return found
  }
  return globSync('packages/server/{src,test}/**/*.test.ts', { cwd: root }).filter((file) =>
    uses(join(root, file)),
  )
}
