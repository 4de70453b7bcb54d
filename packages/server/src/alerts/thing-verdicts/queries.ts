import { type JudgedKind, t, type VerdictOfThing } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import { lookOwner } from '../carrier-health/anomalies.ts'
import { readAccounts } from './accounts.ts'
import { readApplications } from './applications.ts'
import { type Inbox, readInbox } from './inbox.ts'
import { readPhoneNumbers } from './phone-numbers.ts'
import { readSpeechServices } from './speech-services.ts'
import type { Inboxes, StatusReader } from './status-reader.ts'

const EMPTY_INBOX: Inbox = { issues: [], alerts: [], subjects: [], unjudged: [] }

function inboxesFor(ctx: Context, scope: Scope, now: number): Inboxes {
  const read = new Map<string, Promise<Inbox>>()
  return (service_provider_sid) => {
    const owner = lookOwner(scope, { service_provider_sid })
    if (!owner) return Promise.resolve(EMPTY_INBOX)
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
  const found = await STATUS_READERS[kind](ctx, scope, sids, inboxesFor(ctx, scope, now), now)
  // they may have been deleted since a list was read
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

const STATUS_READERS: Record<JudgedKind, StatusReader> = {
  account: readAccounts,
  application: readApplications,
  phone_number: readPhoneNumbers,
  speech_credential: readSpeechServices,
}
