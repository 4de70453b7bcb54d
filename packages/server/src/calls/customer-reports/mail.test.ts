import { api } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callRecord } from '../../../test/voice.ts'
import type { Message } from '../../outbound/mail.ts'
import { StoreUnavailable } from '../../stores/kit/unavailable.ts'
import { nextMorning } from './mail-queries.ts'
import { sendDue } from './send.ts'

const HOUR = 3_600_000
const MINUTE = 60_000
const ZONE = 'Europe/Berlin'

let t: TestApp
/** Whom the mail server refuses. */
let refused: string[]
let sent: Message[]
beforeEach(async () => {
  t = await testApp({ SWITCHROOM_TELEMETRY_DAYS: '90' })
  refused = []
  sent = []
  t.ctx.mail = async (message) => {
    if (refused.includes(message.to)) throw Object.assign(new Error('no'), { responseCode: 451 })
    sent.push(message)
  }
})
afterEach(() => t.close())

const set = (body: object, who = 'a1') =>
  t.as(who)(api.customerReports.updateMail, { params: { account_sid: t.sids.a1 }, body })
const view = (who = 'a1') =>
  t.as(who)(api.customerReports.mail, { params: { account_sid: t.sids.a1 } })
const due = async () => Date.parse((await view()).next_at!)
const tokenIn = (text: string, path: string) =>
  new RegExp(`http://console\\.test/${path}#([\\w-]{43})`).exec(text)![1]!
const to = () => sent.map((message) => message.to)

it('is sent on the first morning of a month, once to each recipient', async () => {
  await set({ recipients: ['jane@example.com', 'joe@example.com'], time_zone: ZONE })
  const at = await due()
  expect(new Intl.DateTimeFormat('sv', { timeZone: ZONE, timeStyle: 'short' }).format(at)).toBe(
    '07:00',
  )
  await sendDue(t.ctx, at - 1)
  expect(sent).toEqual([])
  await sendDue(t.ctx, at)
  await sendDue(t.ctx, at + 1)
  expect(to()).toEqual(['jane@example.com', 'joe@example.com'])
  const { month } = nextMorning(ZONE, at - 1)
  expect(await view()).toMatchObject({
    next_at: new Date(nextMorning(ZONE, at).next_at).toISOString(),
    last_sent: [
      { email: 'jane@example.com', month, problem: null },
      { email: 'joe@example.com', month, problem: null },
    ],
  })
  // a mail that is due again after a change of the zone is not sent again
  await set({ time_zone: 'Pacific/Kiritimati' })
  await set({ time_zone: ZONE })
  await t.db.updateTable('switchroom_report_mails').set({ next_at: at }).execute()
  await sendDue(t.ctx, at)
  expect(sent).toHaveLength(2)
  await sendDue(t.ctx, nextMorning(ZONE, at).next_at)
  expect(sent).toHaveLength(4)
})

it('has its figures as text and markup, in the language and brand, and a link that opens', async () => {
  await t.as('sp1')(api.brands.update, {
    params: { service_provider_sid: t.sids.sp1 },
    body: { name: 'Wessex <Voice>', color: '#1a4fd6' },
  })
  await set({ recipients: ['jane@example.com'], time_zone: ZONE, language: 'de' })
  await sendDue(t.ctx, await due())
  const [mail] = sent
  expect(mail).toMatchObject({ from_name: 'Wessex <Voice>', id: expect.stringMatching(/^\w{64}$/) })
  expect(mail!.subject).toMatch(/^a1: Anrufe im /)
  expect(mail!.text).toContain('Keine Anrufe im ')
  expect(mail!.html).toContain('Wessex &#60;Voice&#62;')
  expect(mail!.html).toContain('#1a4fd6')
  expect(mail!.html).not.toMatch(/src="(?!cid:)|<link|<script|url\(/)
  const token = tokenIn(mail!.text, 'customer-report')
  expect(mail!.html).toContain(token)
  const links = () => t.as('a1')(api.customerReports.links, { params: { account_sid: t.sids.a1 } })
  expect(await links()).toMatchObject([{ mailed_to: 'jane@example.com', made_by: 'Switchroom' }])
  const log = await t.db
    .selectFrom('switchroom_audit')
    .select(['kind', 'actor', 'account_sid'])
    .where('kind', 'in', ['customer_report_mail', 'customer_report_link'])
    .orderBy('seq')
    .execute()
  expect(log).toEqual([
    { kind: 'customer_report_mail', actor: expect.any(String), account_sid: t.sids.a1 },
    { kind: 'customer_report_link', actor: 'Switchroom', account_sid: t.sids.a1 },
  ])
  // a removed recipient cannot open the latest report
  await set({ recipients: [] })
  expect(await links()).toEqual([])
  expect(await view()).toMatchObject({ recipients: [], next_at: null, last_sent: [] })
})

it('shows numbers shortened, but for those of the account', async () => {
  await t.as('a1')(api.phoneNumbers.create, {
    body: { number: '15085550100', account_sid: t.sids.a1 },
  })
  const { calls } = t.ctx.stores
  const call = callRecord({
    ...{ attempted_at: new Date().toISOString(), account_sid: t.sids.a1, direction: 'inbound' },
    ...{ from: '+442079460958', to: '15085550100' },
  })
  t.ctx.stores.calls = {
    ...calls,
    figures: async (...asked) => ({ ...(await calls.figures(...asked)), calls: 1 }),
    each: async function* () {
      yield call
    },
  }
  await set({ recipients: ['jane@example.com'] })
  await sendDue(t.ctx, await due())
  expect(sent[0]!.text).toContain('+44xxxxxxxx58')
  expect(sent[0]!.text).not.toContain('2079460958')
})

it('is tried again, and says why it was not sent', async () => {
  await set({ recipients: ['jane@example.com', 'joe@example.com'], time_zone: ZONE })
  refused = ['jane@example.com']
  const at = await due()
  await sendDue(t.ctx, at)
  expect(to()).toEqual(['joe@example.com'])
  const problem = 'The mail server answered 451'
  expect((await view()).last_sent).toMatchObject([
    { email: 'jane@example.com', month: null, problem },
    { email: 'joe@example.com', problem: null },
  ])
  await sendDue(t.ctx, at + 5 * MINUTE - 1)
  // a recipient added in the meantime gets the month too, and nobody is forgotten
  await set({ recipients: ['Jane@example.com', 'joe@example.com', 'jim@example.com'] })
  refused = []
  await sendDue(t.ctx, at + 5 * MINUTE)
  expect(to()).toEqual(['joe@example.com', 'jane@example.com', 'jim@example.com'])
  expect((await view()).last_sent.map((one) => one.problem)).toEqual([null, null, null])
})

it('is given up for a month after some tries, until the next', async () => {
  await set({ recipients: ['jane@example.com'], time_zone: ZONE })
  refused = ['jane@example.com']
  let tries = 0
  const first = await due()
  for (; tries < 20 && (await due()) < first + 48 * HOUR; tries++) await sendDue(t.ctx, await due())
  expect(tries).toBe(6)
  expect(await due()).toBe(nextMorning(ZONE, first).next_at)
  expect((await view()).last_sent).toMatchObject([{ problem: 'The mail server answered 451' }])
  refused = []
  await sendDue(t.ctx, await due())
  expect(sent).toHaveLength(1)
})

it('waits while the store or a mail server is away', async () => {
  await set({ recipients: ['jane@example.com'], time_zone: ZONE })
  const at = await due()
  const { mail } = t.ctx
  t.ctx.mail = undefined
  await sendDue(t.ctx, at)
  expect(await view()).toMatchObject({ is_mail_on: false, last_sent: [{ problem: null }] })
  t.ctx.mail = mail
  const { calls } = t.ctx.stores
  const fails = async () => {
    throw new StoreUnavailable('The store of call records cannot be reached')
  }
  t.ctx.stores.calls = { ...calls, figures: fails }
  await sendDue(t.ctx, at)
  expect((await view()).last_sent).toMatchObject([
    { problem: 'The store of call records cannot be reached' },
  ])
  t.ctx.stores.calls = calls
  await sendDue(t.ctx, at + 5 * MINUTE)
  expect(sent).toHaveLength(1)
})

it('leaves out months that were missed, and deactivated accounts', async () => {
  await set({ recipients: ['jane@example.com'], time_zone: ZONE })
  const at = await due()
  const later = nextMorning(ZONE, nextMorning(ZONE, at).next_at).next_at
  await sendDue(t.ctx, later)
  expect(sent).toHaveLength(1)
  const account = (is_active: 0 | 1) =>
    t.db.updateTable('accounts').set({ is_active }).where('account_sid', '=', t.sids.a1).execute()
  await account(0)
  await sendDue(t.ctx, nextMorning(ZONE, later).next_at)
  expect(sent).toHaveLength(1)
})

it('says that a mail may have arrived twice after the server has stopped', async () => {
  await set({ recipients: ['jane@example.com'], time_zone: ZONE })
  const at = await due()
  const { month } = nextMorning(ZONE, at - 1)
  // noted, and not heard of again
  await t.db.updateTable('switchroom_report_recipients').set({ sending: month }).execute()
  await sendDue(t.ctx, at)
  expect(sent).toHaveLength(1)
  expect((await view()).last_sent[0]!.problem).toMatch(/may have arrived twice/)
})

it('is sent by one of several processes', async () => {
  await set({ recipients: ['jane@example.com', 'joe@example.com'], time_zone: ZONE })
  const at = await due()
  await Promise.all([sendDue(t.ctx, at), sendDue(t.ctx, at), sendDue(t.ctx, at)])
  expect(to().toSorted()).toEqual(['jane@example.com', 'joe@example.com'])
})

it('ends for a recipient by the link in it', async () => {
  await set({ recipients: ['jane@example.com', 'joe@example.com'] })
  await sendDue(t.ctx, await due())
  const token = tokenIn(sent[0]!.text, 'unsubscribe')
  expect(sent[0]!.unsubscribe).toContain(token)
  const stop = () => t.request('', 'POST', '/CustomerReportMail/Unsubscribe', { token })
  const answer = await stop()
  expect(answer.json()).toEqual({ email: 'jane@example.com', account_name: 'a1' })
  expect((await view()).recipients).toEqual(['joe@example.com'])
  expect((await stop()).statusCode).toBe(404)
  const [entry] = await t.db
    .selectFrom('switchroom_audit')
    .select(['kind', 'actor', 'after_values'])
    .orderBy('seq', 'desc')
    .limit(1)
    .execute()
  expect(entry).toMatchObject({ kind: 'customer_report_mail', actor: 'jane@example.com' })
})

it('stays due while its settings change', async () => {
  await set({ recipients: ['jane@example.com', 'joe@example.com'], time_zone: ZONE })
  const next_at = Date.now() - MINUTE
  await t.db.updateTable('switchroom_report_mails').set({ next_at }).execute()
  await set({ language: 'de', recipients: ['jane@example.com'] })
  expect(await due()).toBe(next_at)
  await set({ recipients: [] })
  expect(await view()).toMatchObject({ next_at: null })
})

it('is sent to oneself at once', async () => {
  const send = (who: string) =>
    t.request(who, 'POST', `/Accounts/${t.sids.a1}/CustomerReportMail/Send`)
  const answer = await send('a1')
  expect(answer.statusCode).toBe(200)
  expect(to()).toEqual([answer.json().sent_to])
  expect(sent[0]!.unsubscribe).toBe(undefined)
  refused = to()
  const failed = await send('a1')
  expect(failed.statusCode).toBe(502)
  expect(failed.json().msg).toBe('The mail server answered 451')
  t.ctx.mail = undefined
  expect((await send('a1')).json().msg).toBe('This server is not configured to send email')
  for (const [who, status] of [
    ['a1-viewer', 403],
    ['a2', 404],
  ] as const)
    expect((await send(who)).statusCode, who).toBe(status)
})

it.each([
  [{ recipients: ['jane'] }, ['recipients', 0]],
  [{ recipients: Array.from({ length: 21 }, (_, i) => `p${i}@example.com`) }, ['recipients']],
  [{ time_zone: 'Mars/Base' }, ['time_zone']],
  [{ language: 'tlh' }, ['language']],
])('refuses %o', async (body, path) => {
  const answer = await t.request('a1', 'PUT', `/Accounts/${t.sids.a1}/CustomerReportMail`, body)
  expect(answer.statusCode).toBe(400)
  expect(answer.json().issues[0].path).toEqual(path)
})

it('tells the second of two people who change it', async () => {
  const { version } = await view()
  await set({ recipients: ['jane@example.com'] })
  await expect(
    t.as('a1')(api.customerReports.updateMail, {
      params: { account_sid: t.sids.a1 },
      body: { recipients: [] },
      version,
    }),
  ).rejects.toMatchObject({ status: 409 })
  await expect(set({ recipients: [] }, 'a1-viewer')).rejects.toMatchObject({ status: 403 })
})
