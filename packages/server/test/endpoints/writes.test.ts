import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as destinations from '../../src/alerts/alert-destinations/queries.ts'
import * as subscriptions from '../../src/alerts/event-subscriptions/queries.ts'
import * as failures from '../../src/alerts/failures/queries.ts'
import * as languageModels from '../../src/applications/language-model/queries.ts'
import * as applications from '../../src/applications/queries.ts'
import * as customerReports from '../../src/calls/customer-reports/queries.ts'
import * as sipGateways from '../../src/carriers/sip-gateways/queries.ts'
import * as smppGateways from '../../src/carriers/smpp-gateways/queries.ts'
import * as trunkReportLinks from '../../src/carriers/trunk-report-links/queries.ts'
import * as carriers from '../../src/carriers/voip-carriers/queries.ts'
import * as modelSessions from '../../src/conversations/model-sessions/queries.ts'
import * as transcriptSettings from '../../src/conversations/transcript-settings/queries.ts'
import * as transcriptions from '../../src/conversations/transcriptions/queries.ts'
import type { Db, Tables } from '../../src/db/open.ts'
import * as clients from '../../src/devices/clients/queries.ts'
import * as teams from '../../src/devices/ms-teams-tenants/queries.ts'
import type { Scope } from '../../src/http/scope.ts'
import * as tables from '../../src/routing/lcrs/queries.ts'
import * as numberWrites from '../../src/routing/phone-numbers/writes.ts'
import * as runs from '../../src/runs/runs/queries.ts'
import * as scores from '../../src/runs/scores/queries.ts'
import * as simulatedCallers from '../../src/runs/simulated-callers/queries.ts'
import * as testCases from '../../src/runs/test-cases/queries.ts'
import * as voices from '../../src/speech/google-custom-voices/queries.ts'
import * as credentials from '../../src/speech/speech-credentials/queries.ts'
import * as accounts from '../../src/tenants/accounts/queries.ts'
import * as accountRemoval from '../../src/tenants/accounts/remove.ts'
import * as keys from '../../src/tenants/api-keys/queries.ts'
import * as brands from '../../src/tenants/brands/queries.ts'
import * as reportLinks from '../../src/tenants/report-links/queries.ts'
import * as providers from '../../src/tenants/service-providers/queries.ts'
import * as savedViews from '../../src/users/saved-views/queries.ts'
import { VIEW_ONLY } from '../../src/users/token-claims.ts'
import * as userWrites from '../../src/users/writes.ts'
import { type TestApp, testApp } from '../app.ts'
import { newScoreCard } from '../kept-runs.ts'
import { report } from '../trust.ts'
import { createWorld, type World } from './lines.ts'

type Table = keyof Tables
/**
 * Handlers look a resource up within the caller's scope before they change it, and the change itself is limited to the
 * scope as well. No request reaches the second check, so it is tested here, without the first.
 */
type Write = {
  /** The folder of its queries, and its function there. */
  name: string
  tables: Table[]
  run: (db: Db, scope: Scope, w: World) => Promise<unknown>
}

type Remove = (db: Db, scope: Scope, sid: string) => Promise<unknown>
type Update<Change> = (db: Db, scope: Scope, sid: string, change: Change) => Promise<unknown>

const remove = (room: string, tables: Table[], which: keyof World, run: Remove): Write => ({
  ...{ name: `${room} remove`, tables },
  run: (db, scope, w) => run(db, scope, w[which]),
})
const update = <Change>(
  room: string,
  table: Table,
  which: keyof World,
  run: Update<Change>,
  change: NoInfer<Change>,
): Write => ({
  ...{ name: `${room} update`, tables: [table] },
  run: (db, scope, w) => run(db, scope, w[which], change),
})
/** An update and a removal of the same resource. */
const both = <Change>(
  room: string,
  table: Table,
  which: keyof World,
  queries: { update: Update<Change>; remove: Remove },
  change: NoInfer<Change>,
) => [
  update(room, table, which, queries.update, change),
  remove(room, [table], which, queries.remove),
]

const x = { name: 'x' }
const WRITES: Write[] = [
  ...both(
    'alerts/alert-destinations',
    'switchroom_alert_destinations',
    'destination',
    destinations,
    x,
  ),
  ...both(
    'alerts/event-subscriptions',
    'switchroom_event_subscriptions',
    'eventSubscription',
    subscriptions,
    x,
  ),
  update('alerts/failures', 'switchroom_failures', 'failure', failures.update, { state: 'mended' }),
  ...both('applications', 'applications', 'application', applications, x),
  {
    name: 'runs/runs answer',
    tables: ['switchroom_runs'],
    run: (db, scope, w) =>
      runs.answer(db, scope, w.run, { question: 1, answer: { kind: 'nothing' } }),
  },
  {
    name: 'runs/runs stop',
    tables: ['switchroom_runs'],
    run: (db, scope, w) => runs.stop(db, scope, w.run),
  },
  {
    name: 'conversations/transcriptions remove',
    tables: ['switchroom_transcriptions', 'switchroom_transcription_parts'],
    run: (db, scope, w) =>
      transcriptions.remove(db, scope, { account_sid: w.account, call_sid: w.number }),
  },
  ...both('applications/language-model', 'switchroom_language_models', 'account', languageModels, {
    ...{ url: 'http://127.0.0.1:9', model: 'x', sealed_key: null },
  }),
  ...both(
    'runs/simulated-callers',
    'switchroom_simulated_callers',
    'simulatedCaller',
    simulatedCallers,
    x,
  ),
  update('runs/scores', 'switchroom_score_cards', 'application', scores.update, {
    ...{ ...newScoreCard(), share: 1 },
  }),
  ...both('runs/test-cases', 'switchroom_test_cases', 'testCase', testCases, x),
  {
    name: 'devices/clients updateAll',
    tables: ['clients'],
    run: (db, scope, w) => clients.updateAll(db, scope, [w.client], { username: 'x' }),
  },
  {
    name: 'devices/clients removeAll',
    tables: ['clients'],
    run: (db, scope, w) => clients.removeAll(db, scope, [w.client]),
  },
  update(
    'conversations/model-sessions',
    'switchroom_model_sessions',
    'account',
    modelSessions.update,
    { currency: 'EUR' },
  ),
  update(
    'conversations/transcript-settings',
    'switchroom_transcript_settings',
    'account',
    transcriptSettings.update,
    { words: 'mask', automatic: null, split: null, words_since: null },
  ),
  ...both('devices/ms-teams-tenants', 'ms_teams_tenants', 'tenant', teams, { tenant_fqdn: 'x.y' }),
  ...both('speech/google-custom-voices', 'google_custom_voices', 'voice', voices, x),
  {
    name: 'users updateAll',
    tables: ['users'],
    run: (db, scope, w) => userWrites.updateAll(db, scope, [w.user], x),
  },
  {
    name: 'users removeAll',
    tables: ['users'],
    run: (db, scope, w) => userWrites.removeAll(db, scope, [w.user]),
  },
  ...both('users/saved-views', 'switchroom_saved_views', 'savedView', savedViews, x),
  update('routing/phone-numbers', 'phone_numbers', 'number', numberWrites.update, { number: '1' }),
  {
    name: 'carriers/voip-carriers updateAll',
    tables: ['voip_carriers'],
    run: (db, scope, w) => carriers.updateAll(db, scope, [w.carrier], x),
  },
  update('speech/speech-credentials', 'speech_credentials', 'credential', credentials.update, {
    label: 'x',
  }),
  update('tenants/accounts', 'accounts', 'account', accounts.update, x),
  update('tenants/api-keys', 'switchroom_api_keys', 'key', keys.update, {
    ...{ name: 'x', view_only: 0, expires_at: null, kinds: null, networks: null },
  }),
  update('tenants/brands', 'switchroom_brands', 'sp', brands.update, x),
  update('tenants/service-providers', 'service_providers', 'sp', providers.update, {
    description: 'x',
  }),
  remove('carriers/sip-gateways', ['sip_gateways'], 'gateway', sipGateways.remove),
  remove('carriers/smpp-gateways', ['smpp_gateways'], 'smpp', smppGateways.remove),
  {
    name: 'tenants/report-links remove',
    tables: ['switchroom_customer_report_links', 'switchroom_trunk_report_links'],
    async run(db, scope, w) {
      await reportLinks.remove(db, scope, customerReports.LINKS, w.customerReportLink)
      await reportLinks.remove(db, scope, trunkReportLinks.LINKS, w.trunkReportLink)
    },
  },
  {
    name: 'speech/speech-credentials remove',
    tables: ['speech_credentials', 'google_custom_voices'],
    run: (db, scope, w) => credentials.remove(db, scope, w.credential),
  },
  remove('tenants/api-keys', ['api_keys'], 'key', keys.remove),
  {
    name: 'carriers/voip-carriers removeAll',
    tables: ['voip_carriers'],
    run: async (db, scope, w) => {
      await db.deleteFrom('sip_gateways').execute()
      await db.deleteFrom('smpp_gateways').execute()
      await carriers.removeAll(db, () => true, scope, [w.carrier])
    },
  },
  {
    name: 'routing/lcrs updateEntry',
    tables: ['lcr_carrier_set_entry'],
    run: (db, scope, w) => tables.updateEntry(db, scope, w.entry, { priority: 9 }),
  },
  {
    name: 'routing/lcrs updateRoute',
    tables: ['lcr_routes'],
    run: (db, scope, w) => tables.updateRoute(db, scope, w.route, { description: 'x' }),
  },
  {
    name: 'routing/lcrs removeEntry',
    tables: ['lcr_carrier_set_entry'],
    run: (db, scope, w) => tables.removeEntry(db, scope, w.entry),
  },
  {
    name: 'routing/lcrs removeRoutes',
    tables: ['lcr_routes', 'lcr_carrier_set_entry'],
    run: (db, scope, w) => tables.removeRoutes(db, scope, [w.route]),
  },
  {
    name: 'routing/phone-numbers updateAll',
    tables: ['phone_numbers', 'switchroom_phone_numbers'],
    async run(db, scope, w) {
      const before = await db
        .selectFrom('phone_numbers')
        .selectAll()
        .select(sql<null>`null`.as('description'))
        .where('phone_number_sid', '=', w.number)
        .executeTakeFirstOrThrow()
      const after = { ...before, application_sid: w.application, description: 'changed' }
      await numberWrites.updateAll(db, scope, [{ before, after }])
    },
  },
  {
    name: 'routing/phone-numbers removeAll',
    tables: ['phone_numbers', 'switchroom_phone_numbers'],
    run: (db, scope, w) => numberWrites.removeAll(db, scope, [w.number]),
  },
  {
    name: 'tenants/accounts remove',
    tables: ['accounts'],
    run: async (db, scope, w) => {
      const account = db.selectFrom('accounts').selectAll().where('account_sid', '=', w.account)
      await accountRemoval.remove(db, t.ctx, scope, await account.executeTakeFirstOrThrow())
    },
  },
  {
    name: 'tenants/api-keys replace',
    tables: ['api_keys'],
    run: (db, scope, w) =>
      keys.replace(db, scope, w.key, { successor: w.key, expires_at: '2030-01-31T00:00:00Z' }),
  },
  {
    name: 'users setPermission',
    tables: ['user_permissions'],
    run: async (db, scope, w) => {
      // the first one is view-only
      await userWrites.setPermission(db, scope, [w.user], undefined, randomUUID)
      await userWrites.setPermission(db, scope, [t.users.a1!], VIEW_ONLY, randomUUID)
    },
  },
]

/** Changes whose endpoint is for administrators, whose scope is everything. */
const FOR_ADMINISTRATORS = ['tenants/service-providers remove']

it('knows every change that takes a scope', () => {
  const root = join(import.meta.dirname, '../../src')
  const found = globSync('**/{*queries,writes,remove}.ts', { cwd: root }).flatMap((file) =>
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
      .map(([, name]) => `${file.replace(/\/(?:queries|writes|remove)\.ts$/, '')} ${name}`),
  )
  expect(found.toSorted()).toEqual(
    [...WRITES.map(({ name }) => name), ...FOR_ADMINISTRATORS].toSorted(),
  )
})

let t: TestApp
let w: World
beforeAll(async () => {
  t = await testApp()
  w = await createWorld(t)
  await brands.insert(t.db, t.sids.sp1)
  await transcriptSettings.insert(t.db, t.sids.a1)
  // a run that waits for an answer
  const waiting = { seen_at: Date.now() + 600_000, question: 1 }
  await t.db.updateTable('switchroom_runs').set(waiting).execute()
  await t.db
    .insertInto('switchroom_transcriptions')
    .values({
      ...{ account_sid: w.account, call_sid: w.number, work_sid: '', state: 'done', seen_at: null },
      ...{ speech_credential_sid: w.credential, vendor: 'deepgram', language: 'en-US' },
      ...{ is_automatic: 0, called_at: '', begun_at: '', ended_at: null, message: null, tries: 1 },
    })
    .execute()
  await userWrites.setPermission(t.db, provider(t.sids.sp1), [w.user], VIEW_ONLY, randomUUID)
})
afterAll(() => t.close())

/** Which of these callers change something with a write. It is undone. */
async function changers({ tables, run }: Write, scopes: Scope[]) {
  const undo = new Error('undo')
  const found: Scope[] = []
  const done = t.db.transaction().execute(async (tx) => {
    const contentOf = async (table: Table) => {
      const { rows } = await sql`select * from ${sql.table(table)}`.execute(tx)
      return rows.map((row) => JSON.stringify(row)).sort()
    }
    const content = async () => JSON.stringify(await Promise.all(tables.map(contentOf)))
    const before = await content()
    for (const scope of scopes) {
      await run(tx, scope, w)
      if ((await content()) !== before) found.push(scope)
    }
    throw undo
  })
  await done.catch((e: unknown) => {
    if (e !== undo) throw e
  })
  return found
}

const caller = { view_only: false, force_change: false }
const provider = (service_provider_sid: string): Scope => ({
  ...{ ...caller, role: 'service_provider', service_provider_sid },
})
const account = (account_sid: string, service_provider_sid: string): Scope => ({
  ...{ ...caller, role: 'account', account_sid, service_provider_sid },
})

describe.each(WRITES)('$name', (write) => {
  it('changes nothing of others', async () => {
    const { sp1, sp2, a2, b1 } = t.sids
    const foreign = [provider(sp2), account(a2, sp1), account(b1, sp2)]
    expect(await changers(write, foreign)).toEqual([])
    report({
      part: 'changes behind the first check',
      tried: foreign.length,
      found: { refused: foreign.length },
    })
  })

  it('changes what is its own', async () => {
    const { sp1, a1 } = t.sids
    const own = [provider(sp1), account(a1, sp1)]
    // an account does not change its provider, nor a provider views that people of an account share
    const one: [Table, number][] = [
      ['service_providers', 0],
      ['switchroom_brands', 0],
      ['switchroom_saved_views', 1],
    ]
    const [, only] = one.find(([table]) => write.tables.includes(table)) ?? []
    for (const scope of only === undefined ? own : [own[only]!])
      expect(await changers(write, [scope])).toEqual([scope])
  })
})
