import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

const TESTS = 'packages/server/test'

/** Environment variables that choose the database and the services of tests. */
const SERVICES = /process\.env\.(?:TEST_|SIPP|TSHARK)/

/**
 * Test files that open a database and still run once, on SQLite, and why: what they prove is decided before a database
 * is read, or from its answer.
 */
export const ONCE: Record<string, string> = {
  '../../cli/test/packed.test.ts':
    'the command line is installed and started; its other tests run on both',
  'conformance.test.ts': 'the protocol is spoken before a database is asked',
  'endpoints/api-keys.test.ts': 'kinds and limits of keys are compared before the handler',
  'endpoints/file-columns.test.ts': 'columns are chosen from rows that were read',
  'endpoints/refusals.test.ts':
    'sessions, roles and view-only access are checked before the handler',
  'endpoints/statements.test.ts': 'both databases get the same reads, spelled differently',
  'endpoints/view-only.test.ts': 'secrets are hidden in the response',
  'hostile-bodies.test.ts': 'parsers and schemas refuse these before the handler',
  'monitoring.test.ts': 'metrics have the same names on both',
  'shared-app.test.ts':
    'requests find their context before a database is asked; two MariaDB databases cannot be open at once',
}

/** Tests of records in files. They share support with tests that open databases, and open none. */
export const IN_FILES = [
  'calls/files/ingest',
  'calls/files/many-days',
  'calls/files/search',
  'calls/files/spooled-ingest',
  'full-disk',
  'kit/damage',
  'taken-folder',
  'traces/arrivals',
  'upgrade',
  'voice/files/store',
].map((name) => `packages/server/src/stores/${name}.test.ts`)

/**
 * The server's test files that use the chosen database or another service, by themselves or through test support. Only
 * these can differ between the databases, so only these run on each, except those of `ONCE` and `IN_FILES`.
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
      .filter((to) => to.startsWith(join(root, TESTS)))
    const found = SERVICES.test(text) || support.some(uses)
    known.set(file, found)
    return found
  }
  const isOnce = (file: string) => relative(TESTS, file) in ONCE || IN_FILES.includes(file)
  return globSync('packages/{server,client,config,cli}/{src,test}/**/*.test.ts', {
    cwd: root,
  }).filter((file) => !isOnce(file) && uses(join(root, file)))
}
