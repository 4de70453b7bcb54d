import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './e2e/longest-first.ts'
import { endpointsPlugin } from './packages/console/endpoints-plugin.ts'
import { filesUsingServices } from './packages/server/test/files-using-services.ts'

const isLong = Boolean(process.env.SWITCHROOM_TRUST)
const slow = { testTimeout: isLong ? 3_600_000 : 30_000, hookTimeout: 60_000 }
const server = ['packages/server/{src,test}/**/*.test.ts']
/** Tests real password hashing, which all other tests replace with a cheap one. */
const atFullCost = ['packages/server/src/secrets/passwords.test.ts']

/** Test files that take seconds, because they wait for time limits or do a lot. `npm run check` skips them. */
export const LONG = [
  'alerts/alert-destinations/claim-alerts',
  'alerts/alerts',
  'applications/app-env',
  'billing/recovery',
  'billing/subscriptions',
  'calls/captures/sipp',
  'calls/recent-calls/recent-calls',
  'carriers/gateway-probes/probe',
  'db/mysql-pool',
  'routing/phone-numbers/mass',
  'speech/vendors/nuance',
  'start/shutdown',
  'stores/damage',
  'stores/embedded/ingest',
  'stores/ingest-server',
  'stores/open',
  'stores/traces/intake',
  '../test/endpoints/fuzz',
  '../test/endpoints/objects',
  '../test/endpoints/outages',
  '../test/hostile',
].map((file) => join('packages/server/src', `${file}.test.ts`))

export default defineConfig({
  test: {
    maxWorkers: 4,
    passWithNoTests: true,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { name: 'contract', include: ['packages/contract/src/**/*.test.ts'] } },
      {
        test: {
          name: 'server',
          // files that use neither a database nor a service run once, on SQLite
          include: process.env.TEST_DATABASE === 'mysql' ? filesUsingServices() : server,
          exclude: process.env.QUICK_TESTS ? [...atFullCost, ...LONG] : atFullCost,
          // files of one worker share imported modules, because loading them takes longer than most tests
          isolate: false,
          alias: {
            '@node-rs/argon2': fileURLToPath(
              new URL('packages/server/test/argon2.ts', import.meta.url),
            ),
          },
          ...slow,
        },
      },
      { test: { name: 'server-passwords', include: atFullCost } },
      {
        plugins: [endpointsPlugin()],
        test: { name: 'console', include: ['packages/console/src/**/*.test.{ts,tsx}'] },
      },
      {
        test: { name: 'house', include: ['{house,papers}.test.ts', '{deploy,scripts}/*.test.ts'] },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.e2e.ts'],
          globalSetup: 'e2e/build.ts',
          setupFiles: 'e2e/setup.ts',
          // a worker keeps its browser and its Redis; each file has servers and databases of its own
          isolate: false,
          // browser tests mostly wait
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
          testTimeout: 300_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
    ],
  },
})
