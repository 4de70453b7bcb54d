import { api, type JudgedKind, type VerdictOfThing } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { raiseAlerts } from '../../../test/alerts.ts'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callLine, send, type TestStore, testStore } from '../../../test/calls.ts'
import { recordStatements } from '../../../test/statements.ts'
import { memory } from '../../http/memory.ts'
import type { Subject } from '../../stores/anomalies/subject-series.ts'
import { gatherFailures } from '../failures/gather.ts'

const HOUR = 3_600_000
const recorded = recordStatements()
let t: TestApp
let store: TestStore
const applications: Record<string, string> = {}
const numbers: Record<string, string> = {}
const speech: Record<string, string> = {}
let albion: string

/** Subjects among calls, by the sids of their accounts and applications. */
const subjects: Subject[] = []
const anomalies: object[] = []
const unjudged: object[] = []
const finder = {
  find: async () => ({ at: Date.now(), weeks: 4, judged: 1, unjudged, anomalies, subjects }),
}
const subject = (kind: 'account' | 'application', id: string): Subject => ({
  ...{ kind, id, direction: null },
})

async function newApplication(who: 'a1' | 'a2', name: string, url: string) {
  const hook = { url, method: 'POST' as const }
  const { sid } = await t.as(who)(api.applications.create, {
    body: { name, account_sid: t.sids[who], call_hook: hook, call_status_hook: hook },
  })
  applications[name] = sid
}
async function newNumber(number: string, application?: string, voip_carrier_sid = albion) {
  const { sid } = await t.as('sp1')(api.phoneNumbers.create, {
    body: {
      ...{ number, account_sid: t.sids.a1, voip_carrier_sid },
      ...(application && { application_sid: applications[application]! }),
    },
  })
  numbers[number] = sid
}
async function newSpeech(name: string, account_sid?: string, more: object = {}) {
  const body = { vendor: 'deepgram', api_key: 'key', label: name, use_for_stt: 1 as const }
  const { sid } = account_sid
    ? await t.as('sp1')(api.accountSpeechCredentials.create, { params: { account_sid }, body })
    : await t.as('sp1')(api.providerSpeechCredentials.create, {
        params: { service_provider_sid: t.sids.sp1! },
        body,
      })
  await t.db
    .updateTable('speech_credentials')
    .set({ stt_tested_ok: 1, ...more })
    .where('speech_credential_sid', '=', sid)
    .execute()
  speech[name] = sid
}
const newCarrier = async (name: string) =>
  (
    await t.as('sp1')(api.voipCarriers.create, {
      body: { name, service_provider_sid: t.sids.sp1! } as never,
    })
  ).sid

beforeAll(async () => {
  t = await testApp({}, undefined, recorded.tracing)
  store = await testStore('embedded')
  t.ctx.stores.calls = store.calls
  t.ctx.stores.alerts = store.alerts
  albion = await newCarrier('Albion')
  const off = await newCarrier('Off')
  await t.as('sp1')(api.voipCarriers.update, {
    params: { voip_carrier_sid: off },
    body: { is_active: 0 },
  })
  await newApplication('a1', 'Front desk', 'https://app.example.com/desk')
  await newApplication('a1', 'Night', 'https://app.example.com/desk-night')
  // URLs that are parts of others, or have such parts
  await newApplication('a1', 'Host', 'https://app.example.com/')
  await newApplication('a1', 'Domain', 'https://example.com/desk')
  await newApplication('a1', 'Silent', 'https://quiet.example.com/')
  await newApplication('a2', 'Other', 'https://app.example.com/desk')
  await newNumber('15550001', 'Front desk')
  await newNumber('15550002')
  await newNumber('15550003', 'Silent', off)
  await newNumber('15550004', 'Silent')
  await newSpeech('shared')
  await newSpeech('own', t.sids.a1)
  await newSpeech('wrong key', t.sids.a1, { stt_tested_ok: 0, vendor: 'soniox' })
  await newSpeech('unused', t.sids.a1, { use_for_stt: 0, vendor: 'cobalt' })
  await newSpeech('untested', t.sids.a1, { stt_tested_ok: null, vendor: 'speechmatics' })
  const lines = Array.from({ length: 40 }, (_, i) =>
    callLine({
      ms: Date.now() - 1_000,
      ns: i,
      tags: {
        ...{ direction: 'outbound', trunk: 'Albion', host: '10.0.0.1' },
        account_sid: t.sids[i < 30 ? 'a1' : 'a2']!,
        ...{ service_provider_sid: t.sids.sp1!, answered: 'false' },
      },
      fields: {
        ...{ call_sid: `call-${i}`, sip_callid: `sip-${i}@pbx`, to: '447700900123' },
        ...{ sip_status: 503, application_sid: applications[i < 30 ? 'Front desk' : 'Other']! },
      },
    }),
  )
  expect(await send(store, lines.join('\n'))).toMatchObject({ status: 204 })
  const a1 = { account_sid: t.sids.a1!, service_provider_sid: t.sids.sp1! }
  const a2 = { ...a1, account_sid: t.sids.a2! }
  const unreachable = {
    alert_type: 'webhook-connection-failure',
    message: 'https://app.example.com/desk: connect ECONNREFUSED',
  }
  const refused = { alert_type: 'stt-failure', vendor: 'deepgram', message: '401 Unauthorized' }
  await raiseAlerts(
    store,
    Date.now() - HOUR,
    ...[unreachable, unreachable, refused, refused].map((alert) => ({ ...a1, ...alert })),
    { ...a2, alert_type: 'no-tts', message: 'no voice' },
    // one of them may pass
    { ...a1, alert_type: 'webhook-failure', message: 'https://quiet.example.com/ returned 500' },
  )
  await gatherFailures(t.ctx)
  t.ctx.memory = memory(t.ctx.databaseUse)
  t.ctx.memory.anomalies = async () => finder as never
  subjects.push(subject('account', t.sids.a1!), subject('application', applications.Silent!))
})
afterAll(async () => {
  await t.close()
  await store.close()
})

const verdicts = (who: string, kind: JudgedKind, ...sids: string[]) =>
  t.as(who)(api.thingVerdicts.list, { query: { kind, sids: sids.join(',') as never } })
const one = async (who: string, kind: JudgedKind, sid: string) =>
  (await verdicts(who, kind, sid))[0]!
const told = ({ findings }: VerdictOfThing) => findings.map((f) => `${f.state}: ${f.reason}`)

const REFUSES = 'failing: Albion answers 503 Service Unavailable to calls to +44 77.'
const UNREACHABLE =
  'failing: Alert “Webhook unreachable”: https://app.example.com/desk: connect ECONNREFUSED.'

describe.each(['admin', 'sp1', 'a1', 'a1-viewer'])('for %s', (who) => {
  it('an account is what its inbox says, and its calls', async () => {
    const verdict = await one(who, 'account', t.sids.a1!)
    expect(told(verdict).sort()).toEqual([
      'degraded: Alert “Speech-to-text failed”: 401 Unauthorized.',
      REFUSES,
      UNREACHABLE,
    ])
    expect(verdict).toMatchObject({ state: 'failing', mend: expect.any(String) })
    // the failure is the one in that inbox
    const { data } = await t.as(who)(api.failures.list, {
      query: { page: 1, ...(who === 'admin' && { service_provider_sid: t.sids.sp1 }) } as never,
    })
    const failure = verdict.findings.find(({ failure_sid }) => failure_sid !== null)
    expect(data.map(({ failure_sid }) => failure_sid)).toContain(failure?.failure_sid)
  })

  it('an application is what alerts say of its webhooks, and its calls', async () => {
    const [desk, night, silent, ...others] = await verdicts(
      who,
      'application',
      ...['Front desk', 'Night', 'Silent', 'Host', 'Domain'].map((name) => applications[name]!),
    )
    expect(others.map(told)).toEqual([[], []])
    expect(told(desk!).sort()).toEqual([REFUSES, UNREACHABLE])
    expect(night).toMatchObject({ state: 'no_traffic', findings: [], mend: null })
    expect(silent).toMatchObject({
      state: 'ok',
      reason: 'Its calls are normal, and no problems were reported in 24 h.',
    })
  })

  it('a number is what its application is, and the carrier that brings its calls', async () => {
    const found = await verdicts(who, 'phone_number', ...Object.values(numbers))
    const desk = await one(who, 'application', applications['Front desk']!)
    expect(found.map(({ state, reason }) => [state, reason])).toEqual([
      ['failing', desk.reason],
      ['inactive', 'No application answers calls to this number.'],
      ['inactive', 'The carrier is turned off.'],
      // that the carrier refuses outbound calls is no trouble of it
      ['ok', 'Its calls are normal, and no problems were reported in 24 h.'],
    ])
  })

  it('a speech service is what its test says, and what its vendor answered', async () => {
    const found = await verdicts(who, 'speech_credential', ...Object.values(speech))
    expect(found.map(({ state, reason }) => [state, reason])).toEqual([
      // the account that was refused has one of its own
      ['ok', 'The latest test succeeded, and nothing failed since.'],
      ['degraded', 'Alert “Speech-to-text failed”: 401 Unauthorized.'],
      ['failing', 'The latest test of speech-to-text failed.'],
      ['inactive', 'Not in use'],
      ['not_known', 'Not tested, and no problems reported.'],
    ])
  })
})

it('blames nobody for the alerts of another account, and little for few of the calls that fail', async () => {
  const few = REFUSES.replace('failing', 'degraded')
  expect(told(await one('sp1', 'account', t.sids.a2!)).sort()).toEqual([
    few,
    'degraded: Alert “No text-to-speech”: no voice.',
  ])
  expect(told(await one('sp1', 'application', applications.Other!))).toEqual([few])
})

it('says that little is known of few calls, and what differs from the usual', async () => {
  const sid = applications.Night!
  unjudged.push({ ...subject('application', sid), reason: 'too_few_calls' })
  expect(await one('a1', 'application', sid)).toMatchObject({
    state: 'too_few_calls',
    reason: expect.stringMatching(/^Fewer than \d+ calls in the last \d+ hours\.$/),
  })
  unjudged.length = 0
  const [since, to] = [Date.now() - HOUR, Date.now()]
  anomalies.push({
    ...{ ...subject('application', sid), measure: 'answered', since, from: since, to },
    ...{ calls: 40, value: 0.2, usual: 0.8 },
  })
  expect(told(await one('a1', 'application', sid))).toEqual([
    'failing: Application Night: 20 % answered in the last 60 minutes, usually 80 %.',
  ])
  anomalies.length = 0
})

it('says nothing of what somebody has resolved', async () => {
  const mark = (key: string) =>
    t.as('a1')(api.accountIssues.mark, {
      params: { account_sid: t.sids.a1! },
      body: { kind: 'alert', key, state: 'resolved' },
    })
  await mark('webhook-connection-failure')
  await mark('stt-failure')
  expect(told(await one('a1', 'account', t.sids.a1!))).toEqual([REFUSES])
  expect(told(await one('a1', 'application', applications['Front desk']!))).toEqual([REFUSES])
  expect(await one('a1', 'speech_credential', speech.own!)).toMatchObject({ state: 'ok' })
  // its own inbox is not its provider's
  expect(told(await one('sp1', 'account', t.sids.a1!))).toContain(UNREACHABLE)
})

it('is told within the caller’s scope, and leaves out what is not', async () => {
  const ofB = { account_sid: t.sids.b1! }
  const found = await verdicts('a1', 'account', t.sids.a2!, t.sids.a1!, ofB.account_sid)
  expect(found.map(({ sid }) => sid)).toEqual([t.sids.a1])
  for (const [who, kind, sid] of [
    ['a2', 'application', applications.Night!],
    ['a2', 'phone_number', numbers['15550001']!],
    ['a2', 'speech_credential', speech.own!],
    ['sp2', 'account', t.sids.a1!],
  ] as const)
    await expect(verdicts(who, kind, sid)).rejects.toMatchObject({ status: 404 })
  const bad = await t.request('a1', 'GET', `/Verdicts?kind=user&sids=${t.sids.a1}`)
  expect(bad.statusCode).toBe(400)
  expect(bad.body).toContain('Enter account, application, phone number or speech credential')
})

it('of an inactive account and its applications says no more', async () => {
  const is_active = (value: 0 | 1) =>
    t.as('sp1')(api.accounts.update, {
      params: { account_sid: t.sids.a1! },
      body: { is_active: value },
    })
  await is_active(0)
  const off = { state: 'inactive', reason: 'The account is inactive.', findings: [] }
  expect(await one('sp1', 'account', t.sids.a1!)).toMatchObject(off)
  expect(await one('sp1', 'phone_number', numbers['15550001']!)).toMatchObject(off)
  await is_active(1)
})

it('costs the same statements for many as for one', async () => {
  const cost = async (...sids: string[]) =>
    (await recorded.during(() => verdicts('sp1', 'application', ...sids))).length
  await cost(applications.Night!)
  const before = await cost(applications.Night!)
  expect(before).toBeGreaterThan(3)
  expect(await cost(...Object.values(applications))).toBe(before)
})
