import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { type StripeStandIn, stripeStandIn } from '../stand-ins/stripe.ts'
import { recordStatements } from '../statements.ts'
import { ask, createWorld, endpoints, type World } from './lines.ts'

/**
 * Counts the statements of every endpoint that reads one resource. The caller is looked up once a second, which
 * `known-callers.test.ts` counts.
 */
const MOST = 2
const ofCaller = (sql: string) =>
  /switchroom_session_ends. as .e|switchroom_api_keys. as .ours/.test(sql)

/** Those that need more, and why. */
const MORE: Record<string, { most: number; why: string }> = {
  'users.me': { most: 3, why: 'the user, the account and the provider, each as it is stored' },
  'secondFactor.view': { most: 6, why: 'factors, codes and the policy, on one settings page' },
  'secondFactor.ofUser': { most: 8, why: 'the same of another user' },
  'accounts.webhookSecret': { most: 9, why: 'it is written to the audit log' },
  'carrierHealth.list': { most: 4, why: 'carriers, those of their names, probes and failures' },
  'carrierHealth.view': { most: 5, why: 'the same of one, and its gateways' },
  'carrierHealth.troubles': { most: 5, why: 'the same of those with calls or open failures' },
  'suites.view': { most: 3, why: 'the suite, its runs, and what its account keeps of words' },
  'thingVerdicts.list': { most: 8, why: 'the rows, and the inbox of their provider' },
  'accountIssues.list': { most: 12, why: 'troubles, failures and marks, with their names' },
  'accountIssues.count': { most: 7, why: 'the same without names' },
  'providerIssues.list': { most: 11, why: 'troubles, failures and marks, with their names' },
  'providerIssues.count': { most: 6, why: 'the same without names' },
  'gettingStarted.view': { most: 11, why: 'one for each kind of thing that a first call needs' },
  'failures.view': {
    most: 5,
    why: 'the names of its user, accounts, applications and carrier',
  },
  'failures.fix': { most: 5, why: 'the same, where no route is looked for' },
  'accountSpeechTrials.test': { most: 9, why: 'it asks a vendor, and stores what came of it' },
  'providerSpeechTrials.test': { most: 9, why: 'it asks a vendor, and stores what came of it' },
  'speechCatalogues.ofAccount': { most: 3, why: 'the credential, of the account or its provider' },
  'speechCatalogues.ofServiceProvider': { most: 3, why: 'the same for a provider' },
  'signallingAddresses.sbcs': { most: 3, why: 'those shared by all count where there are no own' },
  'events.list': { most: 3, why: 'how far there are events, which ones, and that somebody reads' },
  'eventSubscriptions.deliveries': { most: 3, why: 'the webhook, a page, and how many there are' },
  'accountModelFigures.figures': {
    most: 5,
    why: 'the account, its hours, the calls at both ends of the period, and the prices',
  },
  'providerModelFigures.figures': { most: 5, why: 'the same of a provider' },
  'accountScores.figures': { most: 3, why: 'the account, its calls, and their rules and criteria' },
  'providerScores.figures': { most: 3, why: 'the same of a provider' },
  'customerReports.mail': { most: 3, why: 'the account, its settings and its recipients' },
  'customerReports.view': {
    most: 4,
    why: 'the account, its applications and its provider’s brand, of figures from the store',
  },
  'search.find': { most: 14, why: 'one for each kind, numbers and sids by their indexes first' },
  'names.list': { most: 10, why: 'one for each kind, and the audit log' },
  'uses.view': { most: 6, why: 'one for each table whose rows may use the thing' },
}

const single = endpoints.filter(
  ({ e, line }) =>
    e.method === 'GET' &&
    !(e.list || e.file || e.download || e.stream || e.sound) &&
    e.access !== 'public' &&
    line.answers === undefined,
)

it('makes exceptions of endpoints that exist', () => {
  const titles = single.map(({ title }) => title)
  expect(Object.keys(MORE).filter((title) => !titles.includes(title))).toEqual([])
})

it('has those take turns that could fill the connections to MariaDB', () => {
  const CONNECTIONS = 10
  const large = single.filter(({ title }) => (MORE[title]?.most ?? MOST) >= CONNECTIONS)
  expect(large.filter(({ e }) => !e.costs).map(({ title }) => title)).toEqual([])
})

const recorded = recordStatements()
let stripe: StripeStandIn
let open: { hosted: boolean; t: TestApp; w: World } | undefined
beforeAll(async () => {
  stripe = await stripeStandIn()
})
afterAll(async () => {
  await open?.t.close()
  await stripe.close()
})

async function world(hosted: boolean) {
  if (open?.hosted === hosted) return open
  await open?.t.close()
  const t = await testApp(hosted ? stripe.environment : {}, undefined, recorded.tracing)
  const w = await createWorld(t)
  await everyReference(t, w)
  open = { hosted, t, w }
  return open
}

/** Every resource names all that it may name, so that everything is looked up. */
async function everyReference({ db }: TestApp, w: World) {
  const url = 'https://example.com/hook'
  const hooks = ['a', 'b', 'c', 'd', 'e', 'f'].map((webhook_sid) => ({
    webhook_sid,
    url,
    method: 'POST' as const,
  }))
  await db.insertInto('webhooks').values(hooks).execute()
  await db
    .updateTable('accounts')
    .set({
      registration_hook_sid: 'a',
      queue_event_hook_sid: 'b',
      device_calling_application_sid: w.application,
      siprec_hook_sid: w.application,
    })
    .where('account_sid', '=', w.account)
    .execute()
  await db
    .updateTable('applications')
    .set({ call_hook_sid: 'c', call_status_hook_sid: 'd', messaging_hook_sid: 'e' })
    .where('application_sid', '=', w.application)
    .execute()
  await db
    .updateTable('service_providers')
    .set({ registration_hook_sid: 'f' })
    .where('service_provider_sid', '=', w.sp)
    .execute()
}

const answered = new Set<string>()

describe.each(['admin', 'sp1-key', 'a1', 'a1-viewer'])('asked by %s', (who) => {
  it.each(single)('$title', async ({ e, line, title }) => {
    const { t, w } = await world(e.hosted ?? false)
    const { status } = await ask(t, who, e, line, w)
    if (status === 403 || status === 404) return
    answered.add(title)
    const all = await recorded.during(() => ask(t, who, e, line, w))
    const statements = all.filter((sql) => !ofCaller(sql))
    const most = MORE[title]?.most ?? MOST
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(most)
  })
})

it('has asked every endpoint as somebody who may', () => {
  expect(single.map(({ title }) => title).filter((title) => !answered.has(title))).toEqual([])
})
