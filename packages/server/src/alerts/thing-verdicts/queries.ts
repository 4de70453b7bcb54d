import {
  type Alert,
  type Finding,
  isTrouble,
  type JudgedKind,
  t,
  type VerdictOfThing,
  verdictOf,
} from '@switchroom/contract'
import * as carriers from '../../carriers/voip-carriers/queries.ts'
import { batchesOf } from '../../db/batches.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import { ownedBy } from '../../http/tenancy.ts'
import * as phoneNumbers from '../../routing/phone-numbers/queries.ts'
import { visible as visibleSpeech } from '../../speech/speech-credentials/queries.ts'
import { lookOwner } from '../carrier-health/anomalies.ts'
import { healthOf } from '../carrier-health/queries.ts'
import {
  findingOf,
  findingsAmongCalls,
  findingsOfAlerts,
  type Inbox,
  readInbox,
  wellOrUnknown,
} from './inbox.ts'

/** Inboxes that were read for this answer, by their owner: a caller's own, or the thing's provider's. */
type Inboxes = (service_provider_sid: string | null) => Promise<Inbox>

const NOBODY: Inbox = { issues: [], alerts: [], subjects: [], unjudged: [] }

function inboxesFor(ctx: Context, scope: Scope, now: number): Inboxes {
  const read = new Map<string, Promise<Inbox>>()
  return (service_provider_sid) => {
    const owner = lookOwner(scope, { service_provider_sid })
    if (!owner) return Promise.resolve(NOBODY)
    const key = JSON.stringify(owner)
    const inbox = read.get(key) ?? readInbox(ctx, scope, owner, now)
    read.set(key, inbox)
    return inbox
  }
}

/** The state of things that the caller can see, in the order of `sids`. Others are left out. */
export async function verdictsOf(
  ctx: Context,
  scope: Scope,
  kind: JudgedKind,
  sids: string[],
  now = Date.now(),
): Promise<VerdictOfThing[]> {
  const found = await JUDGES[kind](ctx, scope, sids, inboxesFor(ctx, scope, now), now)
  // one may have been deleted since a list was read
  if (found.length === 0) throw new Failure('not_found', ABSENT[kind])
  const bySid = new Map(found.map((verdict) => [verdict.sid, verdict]))
  return sids.flatMap((sid) => bySid.get(sid) ?? [])
}

const ABSENT: Record<JudgedKind, string> = {
  account: t('No such account'),
  application: t('No such application'),
  phone_number: t('No such phone number'),
  speech_credential: t('No such speech service'),
}

type Judge = (
  ctx: Context,
  scope: Scope,
  sids: string[],
  inboxes: Inboxes,
  now: number,
) => Promise<VerdictOfThing[]>

const inactive = (reason: string) => verdictOf([], { state: 'inactive', reason })

const ofAccounts: Judge = async ({ db }, scope, sids, inboxes) => {
  const rows = await db
    .selectFrom('accounts')
    .select(['account_sid as sid', 'is_active', 'service_provider_sid'])
    .where('account_sid', 'in', sids)
    .where(ownedBy('accounts', scope))
    .execute()
  return Promise.all(
    rows.map(async ({ sid, is_active, service_provider_sid }) => {
      if (is_active !== 1) return { sid, ...inactive(t('The account is inactive.')) }
      const inbox = await inboxes(service_provider_sid)
      const reported = inbox.issues.filter((issue) => issue.account_sid === sid).map(findingOf)
      const found = [...reported, ...findingsAmongCalls(inbox, 'account', sid)]
      return { sid, ...verdictOf(found, wellOrUnknown(inbox, 'account', sid)) }
    }),
  )
}

const ofApplications: Judge = async ({ db }, scope, sids, inboxes) => {
  const rows = await db
    .selectFrom('applications')
    .leftJoin('accounts', 'accounts.account_sid', 'applications.account_sid')
    .leftJoin('webhooks as call', 'call.webhook_sid', 'applications.call_hook_sid')
    .leftJoin('webhooks as status', 'status.webhook_sid', 'applications.call_status_hook_sid')
    .leftJoin('webhooks as message', 'message.webhook_sid', 'applications.messaging_hook_sid')
    .select([
      'applications.application_sid as sid',
      'applications.account_sid',
      'accounts.is_active',
      'accounts.service_provider_sid',
      'call.url as call_url',
      'status.url as status_url',
      'message.url as message_url',
    ])
    .where('applications.application_sid', 'in', sids)
    .where(ownedBy('applications', scope))
    .execute()
  return Promise.all(
    rows.map(async (row) => {
      const { sid, account_sid, is_active, call_url, status_url, message_url } = row
      if (account_sid && is_active !== 1) return { sid, ...inactive(t('The account is inactive.')) }
      const inbox = await inboxes(row.service_provider_sid)
      const urls = [call_url, status_url, message_url].flatMap((url) => placeOf(url) ?? [])
      const reported = inbox.alerts.filter(
        (alert) =>
          alert.account_sid === account_sid &&
          urls.some((url) => names(`${alert.message} ${alert.detail}`, url)),
      )
      const found = [
        ...findingsOfAlerts(reported),
        ...findingsAmongCalls(inbox, 'application', sid),
      ]
      return { sid, ...verdictOf(found, wellOrUnknown(inbox, 'application', sid)) }
    }),
  )
}

/** A webhook's host and path, as alerts name it; undefined for a text that is no URL. */
function placeOf(text: string | null) {
  if (!text || !URL.canParse(text)) return undefined
  const { host, pathname } = new URL(text)
  return `${host}${pathname.replace(/\/$/, '')}`
}

/** True if a text contains this host and path, and not those of a longer URL. */
const names = (text: string, place: string) =>
  new RegExp(`(?<![\\w.-])${RegExp.escape(place)}(?!\\/?[\\w%-]|:\\d|\\.\\w)`).test(text)

/** State of numbers: that of the application that answers and the carrier that brings the calls. */
const ofPhoneNumbers: Judge = async (ctx, scope, sids, inboxes, now) => {
  const numbers = await phoneNumbers.findAll(ctx.db, scope, sids)
  const some = <T>(all: (T | null)[]) => [...new Set(all.filter((one) => one !== null))]
  const applicationSids = some(numbers.map(({ application_sid }) => application_sid))
  const carrierSids = some(numbers.map(({ voip_carrier_sid }) => voip_carrier_sid))
  const [applications, trunks] = await Promise.all([
    applicationSids.length > 0 ? ofApplications(ctx, scope, applicationSids, inboxes, now) : [],
    carrierSids.length > 0 ? carriers.findAll(ctx.db, scope, carrierSids) : [],
  ])
  const healths = trunks.length > 0 ? await healthOf(ctx, scope, trunks, now) : []
  return numbers.map(({ phone_number_sid: sid, application_sid, voip_carrier_sid }) => {
    if (!application_sid)
      return { sid, ...inactive(t('No application answers calls to this number.')) }
    const application = applications.find((one) => one.sid === application_sid)
    const carrier = healths.find((one) => one.voip_carrier_sid === voip_carrier_sid)
    for (const one of [application, carrier])
      if (one?.state === 'inactive') return { sid, ...inactive(one.reason) }
    // that a gateway for outbound calls answers no probes says nothing of inbound ones
    const inbound = carrier?.findings.filter(
      (f) => f.direction === 'inbound' || f.state === 'not_registered',
    )
    const found = [...(application?.findings ?? []), ...(inbound ?? [])]
    if (!application) return { sid, ...verdictOf(found) }
    const { state, reason } = application
    return { sid, ...verdictOf(found, { state: isTrouble(state) ? 'ok' : state, reason }) }
  })
}

/** Alerts that tell of a speech service, by its use. */
const SPEECH_ALERTS = {
  tts: ['tts-failure', 'tts-streaming-connection-failure'],
  stt: ['stt-failure'],
}

const ofSpeech: Judge = async ({ db }, scope, sids, inboxes) => {
  const rows = await db
    .selectFrom('speech_credentials')
    .leftJoin('accounts', 'accounts.account_sid', 'speech_credentials.account_sid')
    .select([
      'speech_credential_sid as sid',
      'vendor',
      'speech_credentials.account_sid',
      'speech_credentials.service_provider_sid',
      'accounts.service_provider_sid as provider_of_account',
      'use_for_tts',
      'use_for_stt',
      'tts_tested_ok',
      'stt_tested_ok',
      'last_tested',
    ])
    .where('speech_credential_sid', 'in', sids)
    .where(visibleSpeech(scope))
    .execute()
  const read = await Promise.all(
    rows.map((row) => inboxes(row.service_provider_sid ?? row.provider_of_account)),
  )
  const failed = rows.map(({ vendor, use_for_tts, use_for_stt }, i) => {
    const types: string[] = [
      ...(use_for_tts ? SPEECH_ALERTS.tts : []),
      ...(use_for_stt ? SPEECH_ALERTS.stt : []),
    ]
    return read[i]!.alerts.filter(
      (alert) => alert.vendor === vendor && types.includes(alert.alert_type ?? ''),
    )
  })
  const hasOwn = await ownServices(db, scope, failed.flat())
  return rows.map((row, i) => {
    const { sid, account_sid, use_for_tts, use_for_stt, tts_tested_ok, stt_tested_ok } = row
    if (!use_for_tts && !use_for_stt) return { sid, ...inactive(t('Not in use')) }
    // an account that has a service of the vendor uses that one, and not a shared one
    const reported = failed[i]!.filter((alert) =>
      account_sid ? alert.account_sid === account_sid : !hasOwn(alert),
    )
    const isTested = tts_tested_ok === 1 || stt_tested_ok === 1
    return {
      sid,
      ...verdictOf([...failedTests(row), ...findingsOfAlerts(reported)], {
        ...(isTested
          ? { state: 'ok', reason: t('The latest test succeeded, and nothing failed since.') }
          : { state: 'not_known', reason: t('Not tested, and no problems reported.') }),
      }),
    }
  })
}

/**
 * Reads the speech services of the alerts' accounts. Returns a check: true if the account of an alert has one of the
 * vendor itself.
 */
async function ownServices(db: Db, scope: Scope, alerts: readonly Alert[]) {
  const some = (all: (string | null)[]) => [...new Set(all.filter((one) => one !== null))]
  const own = new Set<string>()
  const key = ({ account_sid, vendor }: Pick<Alert, 'account_sid' | 'vendor'>) =>
    JSON.stringify([account_sid, vendor])
  for (const batch of batchesOf(some(alerts.map(({ account_sid }) => account_sid)))) {
    const rows = await db
      .selectFrom('speech_credentials')
      .select(['account_sid', 'vendor'])
      .where('account_sid', 'in', batch)
      .where('vendor', 'in', some(alerts.map(({ vendor }) => vendor)))
      .where(visibleSpeech(scope))
      .execute()
    for (const row of rows) own.add(key(row))
  }
  return (alert: Alert) => own.has(key(alert))
}

type Tested = {
  use_for_tts: number | null
  use_for_stt: number | null
  tts_tested_ok: number | null
  stt_tested_ok: number | null
}

function failedTests({
  use_for_tts,
  use_for_stt,
  tts_tested_ok,
  stt_tested_ok,
}: Tested): Finding[] {
  const failed = (reason: string): Finding => ({
    state: 'failing',
    since: null,
    reason,
    mend: t('Correct the credentials, and test the speech service again.'),
    failure_sid: null,
    direction: null,
  })
  return [
    ...(use_for_tts && tts_tested_ok === 0
      ? [failed(t('The latest test of text-to-speech failed.'))]
      : []),
    ...(use_for_stt && stt_tested_ok === 0
      ? [failed(t('The latest test of speech-to-text failed.'))]
      : []),
  ]
}

const JUDGES: Record<JudgedKind, Judge> = {
  account: ofAccounts,
  application: ofApplications,
  phone_number: ofPhoneNumbers,
  speech_credential: ofSpeech,
}
