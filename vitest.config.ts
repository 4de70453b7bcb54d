import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './e2e/longest-first.ts'
import { endpointsPlugin } from './packages/console/endpoints-plugin.ts'
import { vendorNamesPlugin } from './packages/console/vendor-names-plugin.ts'
import { filesUsingServices } from './packages/server/test/files-using-services.ts'
import { bundledThreads } from './scripts/bundled-threads.ts'

const isLong = Boolean(process.env.SWITCHROOM_TRUST)
/** Limits that only end tests that hang, also on a busy machine: anything awaited comes, or does not. */
const slow = {
  testTimeout: isLong ? 3_600_000 : 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
}
const server = 'packages/{server,client,config,cli}/{src,test}/**/*.test.ts'
/** Tests of what must take real time: leases, time limits, drains, hung servers. No other test measures it or sleeps. */
const TIMING = '**/*.timing.test.ts'
const usingServices = process.env.TEST_DATABASE === 'mysql' ? filesUsingServices() : undefined
/** Those that `scripts/test.ts` runs in another part. */
const later = process.env.TEST_LATER?.split(',') ?? []
/** The folder of modules that `scripts/test.ts` has each part keep for the next. */
const transformed = process.env.TEST_TRANSFORMED
const isTiming = (file: string) => file.endsWith('.timing.test.ts')
/** A real hash takes a tenth of a second of a processor. */
const cheapHashes = {
  '@node-rs/argon2': fileURLToPath(new URL('packages/server/test/argon2.ts', import.meta.url)),
}
if (Number.parseInt(process.versions.node, 10) < 24)
  throw new Error(
    `The tests need Node 24 or later; this is ${process.version}. Use "npm test -- <file>".`,
  )

const THREADS = 'scripts/bundled-threads.ts'
const setupFiles = ['scripts/record-cost.ts']
/** Tests real password hashing, which all other tests replace with a cheap one. */
const atFullCost = ['packages/server/src/secrets/passwords.test.ts']

/** Tests that replace modules, which other files would be given. */
const MOCKING = ['api', 'failure', 'stock/adapter'].map(
  (name) => `packages/console/src/lib/${name}.test.ts`,
)

/** Test files that take seconds, because they wait for time limits or do a lot. `npm run check` skips them. */
export const LONG = [
  'alerts/alert-destinations/claim-alerts',
  'alerts/alerts',
  'billing/recovery',
  'billing/subscriptions',
  'calls/recent-calls/recent-calls',
  'routing/phone-numbers/mass',
  'speech/vendors/nuance',
  'stores/kit/damage',
  'stores/calls/files/ingest',
  'stores/kit/ingest-server',
  'stores/traces/intake',
  'stores/upgrade',
  '../test/endpoints/fuzz',
  '../test/endpoints/objects',
  '../test/endpoints/outages',
  '../test/hostile',
].map((file) => join('packages/server/src', `${file}.test.ts`))

export default defineConfig({
  test: {
    maxWorkers: 4,
    passWithNoTests: true,
    // the parts of a run have most modules in common
    ...(transformed && {
      experimental: { fsModuleCache: true, fsModuleCachePath: transformed },
    }),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'contract',
          include: ['packages/contract/src/**/*.test.ts'],
          exclude: [TIMING],
          isolate: false,
          setupFiles,
          ...slow,
        },
      },
      {
        plugins: [bundledThreads()],
        test: {
          name: 'server',
          globalSetup: THREADS,
          // files that use neither a database nor a service run once, on SQLite
          include: usingServices ?? [server],
          exclude: [TIMING, ...atFullCost, ...later, ...(process.env.QUICK_TESTS ? LONG : [])],
          // files of one worker share imported modules, because loading them takes longer than most tests
          isolate: false,
          alias: cheapHashes,
          setupFiles,
          ...slow,
        },
      },
      {
        plugins: [bundledThreads()],
        test: {
          name: 'timing',
          globalSetup: THREADS,
          include: usingServices?.filter(isTiming) ?? [TIMING],
          exclude: [...configDefaults.exclude, ...later],
          alias: cheapHashes,
          setupFiles,
          // one file at a time, after all others
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
          ...slow,
        },
      },
      { test: { name: 'server-passwords', include: atFullCost, setupFiles, ...slow } },
      {
        plugins: [endpointsPlugin(), vendorNamesPlugin()],
        test: {
          name: 'console',
          include: ['packages/console/src/**/*.test.{ts,tsx}'],
          exclude: [TIMING, ...MOCKING],
          isolate: false,
          setupFiles,
          ...slow,
        },
      },
      {
        plugins: [endpointsPlugin(), vendorNamesPlugin()],
        test: { name: 'console-mocks', include: MOCKING, setupFiles, ...slow },
      },
      {
        test: {
          name: 'house',
          include: ['{house,papers}.test.ts', '{deploy,scripts}/*.test.ts'],
          setupFiles,
          ...slow,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.e2e.ts'],
          globalSetup: 'e2e/build.ts',
          setupFiles: [...setupFiles, 'e2e/setup.ts'],
          // a worker keeps its browser and its Redis; each file has servers and databases of its own
          isolate: false,
          // browser tests mostly wait
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
          // a race that the product has not lost must not fail a run: scripts/test.ts names and counts the stories
          // that needed it, and fails for more than two
          retry: 1,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
})
