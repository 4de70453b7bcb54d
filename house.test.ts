import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import root from './package.json' with { type: 'json' }
import { api, type Endpoint } from './packages/contract/src/index.ts'

/** The house checks itself: the same rooms on every floor, imports going one way, prose that is true. */

const sources = globSync('packages/*/src/**/*.{ts,tsx}').filter((f) => !f.includes('.test.'))
const read = (file: string) => readFileSync(file, 'utf8')
const kebab = (s: string) => s.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)

/** Groups of the contract whose screens are parts of other rooms, and which. */
const PART_OF: Record<string, string> = {
  system: 'lib/capabilities.ts asks it; there is nothing to show',
  appEnv: 'the environment variables of an application, in applications',
  speechCatalogues: 'the speech choices of an application, in applications',
  speechCredentials: 'its screens are in speech-services',
  speechTrials: 'lib/speech-trials.ts, for all who try speech',
  googleCustomVoices: 'the custom voices of a Google credential, in speech-services',
  limits: 'lib/limit-fields.tsx, in the forms of accounts and providers',
  apiKeys: 'lib/api-keys-table.tsx, below the forms of accounts and providers',
  queues: 'a tab of the live screen, in live-calls',
  registeredUsers: 'a tab of the live screen, in live-calls',
  messaging: 'for SMS carriers and feature servers; nothing is shown of them',
  messages: 'for programs; nothing is shown of them',
  webhooks: 'lib/webhook-fields.tsx, in the forms of what they are for',
  sipGateways: 'rows of a carrier, in voip-carriers',
  lcrRoutes: 'rows of an outbound routing table, in lcrs',
  lcrCarrierSetEntries: 'carriers of such a row, in lcrs',
  smppGateways: 'rows of a carrier, in voip-carriers',
  signallingAddresses: 'what a carrier has to let through, in voip-carriers',
  gatewayProbes: 'the health of a carrier, in voip-carriers',
  traces: 'tracing of a call, in recent-calls',
  callLogs: 'logs of a call, in recent-calls',
  recordings: 'the player of a call, in recent-calls',
  captures: 'SIP of a call, in recent-calls; of a registration, in voip-carriers',
  predefinedCarriers: 'templates of a carrier, in voip-carriers',
  subscriptions: 'of an account, in accounts',
  serviceProviders: 'the selector of the frame, and a tab of settings',
}

/** `packages/server/src/phone-numbers/routes.ts` → server, phone-numbers. A file beside the rooms is in the hall. */
const place = (file: string) => {
  const [, floor, , ...rest] = file.split('/')
  return { floor: floor!, room: rest.length > 1 ? rest[0]! : 'hall', file: rest.join('/') }
}
type Place = ReturnType<typeof place>

/** What every room may lean on, the lower first: a lower one never leans on a higher. */
const SHARED: Record<string, string[]> = {
  contract: [],
  server: ['outbound', 'db', 'live', 'stores', 'http', 'speech', 'changes', 'imports'],
  console: ['ui', 'lib'],
}
/** Files of the hall that rooms may use; the rest of the hall uses the rooms. */
const HALL: Record<string, string[]> = {
  contract: ['aws-regions.ts', 'common.ts', 'endpoint.ts', 'errors.ts'],
  server: [
    'capabilities.ts',
    'config.ts',
    'context.ts',
    'mail.ts',
    'passwords.ts',
    'secret-box.ts',
    'webhook-secret.ts',
  ],
  console: [],
}
/** A room's own words that others may use, beside its queries. */
const OPEN = [
  /\/queries\.ts$/,
  /^lcrs\/tables\.ts$/,
  /^route-simulations\/patiently\.ts$/,
  /^users\/claims\.ts$/,
  /^session\/(password|sessions|tokens)\.ts$/,
  /^voip-carriers\/(gateways|smpp-gateways|refuse)\.ts$/,
]
/** Known exceptions, each with its reason. */
const EXCEPT: Record<string, string> = {
  'http/authenticate.ts → api-keys/queries.ts': 'who calls is asked of the keys',
  'http/authenticate.ts → session/sessions.ts': 'and of the sessions',
  'http/operations.ts → capabilities.ts': 'the version in the description',
  'db/seed.ts → passwords.ts': 'the first administrator',
  'db/seed.ts → webhook-secret.ts': 'the first account',
  'subscriptions/test-billing.ts → test-app.ts': 'a whole server beside a payment provider',
}

function allowed(from: Place, to: Place): boolean {
  if (from.room === 'hall' || from.room === to.room) return true
  if (`${from.file} → ${to.file}` in EXCEPT) return true
  const order = SHARED[from.floor]!
  const [a, b] = [order.indexOf(from.room), order.indexOf(to.room)]
  if (to.room === 'hall') return HALL[from.floor]!.includes(to.file)
  if (a >= 0) return b >= 0 && b < a
  return b >= 0 || OPEN.some((pattern) => pattern.test(to.file))
}

const imports = (file: string) =>
  [...read(file).matchAll(/(?:from|import\() ?'(\.[^']+)'/g)]
    .map((m) => relative('.', join(dirname(file), m[1]!)))
    .filter((to) => !to.endsWith('.css'))

/** The platform has these twice, below accounts and below providers: two groups of one room. */
const TWICE: Record<string, string> = {
  accountAlerts: 'alerts',
  providerAlerts: 'alerts',
  accountRecentCalls: 'recentCalls',
  providerRecentCalls: 'recentCalls',
  accountSpeechCredentials: 'speechCredentials',
  providerSpeechCredentials: 'speechCredentials',
  accountSpeechTrials: 'speechTrials',
  providerSpeechTrials: 'speechTrials',
}

describe('the house', () => {
  it.each(Object.keys(api).map((g) => TWICE[g] ?? g))(
    'has the room of %s on every floor',
    (group) => {
      expect(existsSync(`packages/contract/src/${kebab(group)}.ts`), 'contract').toBe(true)
      expect(existsSync(`packages/server/src/${kebab(group)}`), 'server').toBe(true)
      if (!(group in PART_OF))
        expect(existsSync(`packages/console/src/${kebab(group)}`), 'console').toBe(true)
    },
  )

  it('imports only downwards', () => {
    const wrong = sources.flatMap((file) =>
      imports(file)
        .filter((to) => !allowed(place(file), place(to)))
        .map((to) => `${place(file).file} → ${place(to).file}`),
    )
    expect(wrong).toEqual([])
  })

  it('keeps the floors apart', () => {
    const wrong = sources.filter((file) => {
      const text = read(file)
      if (file.startsWith('packages/contract/')) return /from '(?!\.|zod')/.test(text)
      if (file.startsWith('packages/console/'))
        // the whole contract in one object would be in every chunk
        return /@switchroom\/server|import \{[^}]*\bapi\b[^}]*\} from '@switchroom\/contract'/.test(
          text,
        )
      return /@switchroom\/console/.test(text)
    })
    expect(wrong).toEqual([])
  })

  it('knows a stock server in one place of the console', () => {
    const elsewhere = globSync('packages/console/src/**/*.{ts,tsx,css}').filter(
      (file) =>
        !file.startsWith('packages/console/src/lib/stock/') && !file.endsWith('/lib/api.ts'),
    )
    const told = elsewhere.filter((file) => /stock/i.test(read(file).replace('lib/stock/', '')))
    expect(told).toEqual([])
  })

  it('has one endpoint per method and path, and a shape for every parameter', () => {
    const all = Object.values(api).flatMap((g) => Object.values(g as Record<string, Endpoint>))
    const keys = all.map((e) => `${e.method} ${e.path}`)
    expect(keys.filter((k, i) => keys.indexOf(k) !== i)).toEqual([])
    for (const e of all) {
      const named = [...e.path.matchAll(/:(\w+)/g)].map((m) => m[1]!)
      expect(Object.keys(e.params?.shape ?? {}).sort(), e.path).toEqual(named.sort())
    }
  })
})

describe('its prose', () => {
  const prose = ['README.md', 'AGENTS.md'].map((f) => ({ f, text: read(f) }))

  it.each(prose)('$f names only scripts and paths that exist', ({ text }) => {
    const scripts = [...text.matchAll(/npm run ([\w:-]+)/g)].map((m) => m[1]!)
    expect(scripts.filter((s) => !(s in root.scripts))).toEqual([])
    const paths = [...text.matchAll(/`((?:packages|scripts|e2e|docs)\/[^`*<>{}…]+)`/g)].map(
      (m) => m[1]!,
    )
    expect(paths.filter((p) => !existsSync(p))).toEqual([])
  })

  it('says how the tests are run, as CI runs them', () => {
    const command = 'npm ci && npm test'
    expect(read('README.md')).toContain(command)
    expect(read('.ci/run')).toContain(command)
  })
})

describe('its files', () => {
  const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
    .split('\n')
    .filter((f) => f && existsSync(f) && f !== 'house.test.ts' && !/\.(png|woff2|ico)$/.test(f))

  it('carry no path of a machine and no registry', () => {
    const machine = /(?:^|[\s"'`(])\/(?:work|root|farm|home)\/|registry\.npmjs|"resolved": "http/
    expect(tracked.filter((f) => machine.test(read(f)))).toEqual([])
  })

  it('let npm install on any Node: the lockfile names no engines ("npm run lock" takes them out)', () => {
    expect(read('package-lock.json')).not.toContain('"engines"')
  })

  it('switch no test and no type off', () => {
    const code = tracked.filter((f) => /\.tsx?$/.test(f))
    const off = /\b(?:it|test|describe)\.(?:only|skip|todo)\(|@ts-(?:ignore|nocheck)|\bas any\b/
    expect(code.filter((f) => off.test(read(f)))).toEqual([])
  })
})
