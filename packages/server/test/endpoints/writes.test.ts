import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as destinations from '../../src/alerts/alert-destinations/queries.ts'
import * as applications from '../../src/applications/queries.ts'
import * as carriers from '../../src/carriers/voip-carriers/queries.ts'
import type { Db, Tables } from '../../src/db/open.ts'
import * as clients from '../../src/devices/clients/queries.ts'
import * as teams from '../../src/devices/ms-teams-tenants/queries.ts'
import type { Scope } from '../../src/http/scope.ts'
import * as numbers from '../../src/routing/phone-numbers/queries.ts'
import * as voices from '../../src/speech/google-custom-voices/queries.ts'
import * as credentials from '../../src/speech/speech-credentials/queries.ts'
import * as accounts from '../../src/tenants/accounts/queries.ts'
import * as keys from '../../src/tenants/api-keys/queries.ts'
import * as providers from '../../src/tenants/service-providers/queries.ts'
import * as users from '../../src/users/queries.ts'
import { type TestApp, testApp } from '../app.ts'
import { report } from '../trust.ts'
import { createWorld, type World } from './lines.ts'

/**
 * Handlers look a resource up within the caller's scope before they change it, and the change itself is limited to the
 * scope as well. No request reaches the second check, so it is tested here, without the first.
 */
type Write = {
  table: keyof Tables
  run: (db: Db, scope: Scope, w: World) => Promise<unknown>
}
const WRITES: Record<string, Write> = {
  'alerts/alert-destinations update': {
    table: 'switchroom_alert_destinations',
    run: (db, scope, w) => destinations.update(db, scope, w.destination, { name: 'x' }),
  },
  'alerts/alert-destinations remove': {
    table: 'switchroom_alert_destinations',
    run: (db, scope, w) => destinations.remove(db, scope, w.destination),
  },
  'applications update': {
    table: 'applications',
    run: (db, scope, w) => applications.update(db, scope, w.application, { name: 'x' }),
  },
  'applications remove': {
    table: 'applications',
    run: (db, scope, w) => applications.remove(db, scope, w.application),
  },
  'carriers/voip-carriers update': {
    table: 'voip_carriers',
    run: (db, scope, w) => carriers.update(db, scope, w.carrier, { name: 'x' }),
  },
  'carriers/voip-carriers remove': {
    table: 'voip_carriers',
    run: async (db, scope, w) => {
      await db.deleteFrom('sip_gateways').execute()
      await db.deleteFrom('smpp_gateways').execute()
      await carriers.remove(db, () => true, scope, w.carrier)
    },
  },
  'devices/clients update': {
    table: 'clients',
    run: (db, scope, w) => clients.update(db, scope, w.client, { username: 'x' }),
  },
  'devices/clients remove': {
    table: 'clients',
    run: (db, scope, w) => clients.remove(db, scope, w.client),
  },
  'devices/ms-teams-tenants update': {
    table: 'ms_teams_tenants',
    run: (db, scope, w) => teams.update(db, scope, w.tenant, { tenant_fqdn: 'x.example.com' }),
  },
  'devices/ms-teams-tenants remove': {
    table: 'ms_teams_tenants',
    run: (db, scope, w) => teams.remove(db, scope, w.tenant),
  },
  'routing/phone-numbers update': {
    table: 'phone_numbers',
    run: (db, scope, w) => numbers.update(db, scope, w.number, { application_sid: w.application }),
  },
  'routing/phone-numbers assign': {
    table: 'phone_numbers',
    run: (db, scope, w) => numbers.assign(db, scope, [w.number], w.application),
  },
  'routing/phone-numbers remove': {
    table: 'phone_numbers',
    run: (db, scope, w) => numbers.remove(db, scope, w.number),
  },
  'speech/google-custom-voices update': {
    table: 'google_custom_voices',
    run: (db, scope, w) => voices.update(db, scope, w.voice, { name: 'x' }),
  },
  'speech/google-custom-voices remove': {
    table: 'google_custom_voices',
    run: (db, scope, w) => voices.remove(db, scope, w.voice),
  },
  'speech/speech-credentials update': {
    table: 'speech_credentials',
    run: (db, scope, w) => credentials.update(db, scope, w.credential, { label: 'x' }),
  },
  'speech/speech-credentials remove': {
    table: 'google_custom_voices',
    run: (db, scope, w) => credentials.remove(db, scope, w.credential),
  },
  'tenants/accounts update': {
    table: 'accounts',
    run: (db, scope, w) => accounts.update(db, scope, w.account, { name: 'x' }),
  },
  'tenants/api-keys update': {
    table: 'switchroom_api_keys',
    run: (db, scope, w) =>
      keys.update(db, scope, w.key, {
        name: 'x',
        view_only: 0,
        expires_at: null,
        kinds: null,
        networks: null,
      }),
  },
  'tenants/api-keys replace': {
    table: 'api_keys',
    run: (db, scope, w) =>
      keys.replace(db, scope, w.key, { successor: w.key, expires_at: '2030-01-31T00:00:00Z' }),
  },
  'tenants/api-keys remove': {
    table: 'api_keys',
    run: (db, scope, w) => keys.remove(db, scope, w.key),
  },
  'tenants/service-providers update': {
    table: 'service_providers',
    run: (db, scope, w) => providers.update(db, scope, w.sp, { description: 'x' }),
  },
  'users update': {
    table: 'users',
    run: (db, scope, w) => users.update(db, scope, w.user, { name: 'x' }),
  },
  'users remove': { table: 'users', run: (db, scope, w) => users.remove(db, scope, w.user) },
}

/** Its endpoint is for administrators, whose scope is everything. */
const FOR_ADMINISTRATORS = ['tenants/service-providers remove']

it('knows every change that takes a scope', () => {
  const root = join(import.meta.dirname, '../../src')
  const found = globSync('**/*queries.ts', { cwd: root }).flatMap((file) =>
    [
      ...readFileSync(join(root, file), 'utf8').matchAll(
        /^export (?:const|(?:async )?function) (\w+)(?: = (?:async )?)?\([^)]*\bscope: Scope[^)]*\)/gm,
      ),
    ]
      .filter(({ 0: head, index, input }) => {
        const [body] = input
          .slice(index + head.length)
          .split(/\n\n|\n(?:export|const|function|async)/, 1)
        return /updateTable|deleteFrom/.test(body!)
      })
      .map(([, name]) => `${file.replace(/\/queries\.ts$/, '')} ${name}`),
  )
  expect(found.toSorted()).toEqual([...Object.keys(WRITES), ...FOR_ADMINISTRATORS].toSorted())
})

let t: TestApp
let w: World
beforeAll(async () => {
  t = await testApp()
  w = await createWorld(t)
})
afterAll(() => t.close())

/** What a write changes in its table; it is undone. */
async function changes({ table, run }: Write, scope: Scope) {
  const undo = new Error('undo')
  let change: { before: string[]; after: string[] } | undefined
  const done = t.db.transaction().execute(async (tx) => {
    const rows = async () => {
      const { rows } = await sql`select * from ${sql.table(table)}`.execute(tx)
      return rows.map((row) => JSON.stringify(row)).sort()
    }
    const before = await rows()
    await run(tx, scope, w)
    change = { before, after: await rows() }
    throw undo
  })
  await done.catch((e: unknown) => {
    if (e !== undo) throw e
  })
  return change!
}

describe.each(Object.entries(WRITES))('%s', (name, write) => {
  const caller = { view_only: false, force_change: false } as Scope
  const scopes = () => {
    const { sp1, sp2, a1, a2, b1 } = t.sids
    const provider = (service_provider_sid: string) =>
      ({ ...caller, role: 'service_provider', service_provider_sid }) as Scope
    const account = (account_sid: string, service_provider_sid: string) =>
      ({ ...caller, role: 'account', account_sid, service_provider_sid }) as Scope
    return {
      own: [provider(sp1), account(a1, sp1)],
      foreign: [provider(sp2), account(a2, sp1), account(b1, sp2)],
    }
  }

  it('changes nothing of others', async () => {
    const { foreign } = scopes()
    for (const scope of foreign) {
      const { before, after } = await changes(write, scope)
      expect(after).toEqual(before)
    }
    report({
      part: 'changes behind the first check',
      tried: foreign.length,
      found: { refused: foreign.length },
    })
  })

  it('changes what is its own', async () => {
    // an account does not change its provider
    const [provider, account] = scopes().own as [Scope, Scope]
    for (const scope of name.startsWith('tenants/service-providers')
      ? [provider]
      : [provider, account]) {
      const { before, after } = await changes(write, scope)
      expect(after).not.toEqual(before)
    }
  })
})
