import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import {
  ACTIVE_STATUSES,
  isOneOf,
  MODEL_EVENT_BYTES,
  MODEL_EVENT_LATE_MINUTES,
  MODEL_EVENTS_MAX,
  type RefusedEvent,
  t,
} from '@switchroom/contract'
import type { FastifyRequest } from 'fastify'
import { transcriptPolicyOf } from '../../calls/words-kept.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { addressOf, networkOf } from '../../http/network.ts'
import { noState } from '../../live/state.ts'
import { partWithoutWords } from './parts.ts'
import * as sessions from './queries.ts'
import { type ModelEvent, readEvent } from './read-event.ts'

/** Events of one account per minute; a model session has some ten a second. */
const PER_MINUTE = 12_000
/** Requests without a valid secret, per network and minute. */
const REFUSED_PER_MINUTE = 60
/** Limit of the platform’s own libraries. */
const SIGNED_WITHIN_S = 300
const LATE_MS = MODEL_EVENT_LATE_MINUTES * 60_000
/** How long a call that was looked up is known. */
const CHECK_MS = 30_000
/** Time in which the same text without an id is the same event, and not another one. */
const DOUBLE_MS = 10_000

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

const REFUSALS: Record<RefusedEvent, () => Failure> = {
  secret: () =>
    new Failure('unauthenticated', t('The secret or the signature is missing or not valid')),
  unknown_call: () => new Failure('not_found', t('No such call')),
  late: () =>
    new Failure(
      'conflict',
      t('The call ended more than {n} minutes ago', { n: MODEL_EVENT_LATE_MINUTES }),
    ),
  garbage: () => new Failure('invalid', t('Send an event of a model session as JSON')),
  too_large: () => new Failure('too_large', t('The event is larger than 64 kB')),
  too_many: () =>
    new Failure('too_many', t('Too many events at once, or for this call'), { retry_after: 60 }),
}

/** Counts within this minute, over all processes. True above the limit. */
async function isOver({ live }: Context, key: string, max: number) {
  const minute = Math.floor(Date.now() / 60_000)
  return (await live.increment(`switchroom:model-events:${key}:${minute}`, 60)) > max
}

/** Signature of a request as the platform makes it: `t=<seconds>,v1=<hmac>`. */
function isSigned(header: unknown, secret: string, body: Buffer) {
  if (typeof header !== 'string' || !secret) return false
  const [, seconds, signatures] =
    /^t=(\d{1,12}),(v1=[\da-f]{64}(?:,v1=[\da-f]{64})*)$/.exec(header) ?? []
  if (seconds === undefined || Math.abs(Date.now() / 1_000 - Number(seconds)) > SIGNED_WITHIN_S)
    return false
  const expected = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest()
  return signatures!
    .split(',')
    .some((one) => timingSafeEqual(Buffer.from(one.slice('v1='.length), 'hex'), expected))
}

const SIGNATURE = 'jambonz-signature'

/** True if the request is the account's: with its secret, or signed by the platform with its webhook secret. */
async function isOfAccount({ db }: Context, account_sid: string, request: Sent) {
  const row = await sessions.opened(db, account_sid)
  if (!row) return undefined
  const { authorization, [SIGNATURE]: signature } = request.headers
  const [, secret] = /^bearer (\S{1,200})$/i.exec(authorization ?? '') ?? []
  return secret === undefined
    ? isSigned(signature, row.webhook_secret, request.body)
    : sessions.secretDigest(secret) === row.token_digest
}

export type Sent = FastifyRequest<{ Params: { account_sid: string; call_sid?: string } }> & {
  body: Buffer
}

/** Takes an event. Throws `Failure`; what the account could mend is counted for it. */
export async function takeEvent(ctx: Context, request: Sent): Promise<{ kept: boolean }> {
  const account_sid = request.params.account_sid.toLowerCase()
  const isOfIt = await isOfAccount(ctx, account_sid, request)
  const refuse = async (reason: RefusedEvent) => {
    await sessions.noteRefusal(ctx.db, account_sid, reason)
    throw REFUSALS[reason]()
  }
  if (!isOfIt) {
    const network = networkOf(addressOf(request, ctx.config))
    if (await isOver(ctx, `refused:${network}`, REFUSED_PER_MINUTE)) throw REFUSALS.too_many()
    if (isOfIt === undefined) throw REFUSALS.secret()
    return refuse('secret')
  }
  if (await isOver(ctx, account_sid, PER_MINUTE)) return refuse('too_many')
  if (request.body.length > MODEL_EVENT_BYTES) return refuse('too_large')
  const event = eventIn(request.body)
  if (!event) return refuse('garbage')
  const call_sid = request.params.call_sid ?? event.call_sid
  if (call_sid === undefined || call_sid.length > 64) return refuse('unknown_call')
  // a message over a WebSocket names its call itself
  if (event.call_sid !== undefined && event.call_sid !== call_sid) return refuse('unknown_call')
  const now = Date.now()
  const key = { account_sid, call_sid }
  const isTaken = await mayBeOf(ctx, key, now)
  if (isTaken !== true) return refuse(isTaken)
  if (event.parts.length === 0) return { kept: false }
  const policy = await transcriptPolicyOf(ctx.db, account_sid, { from: now, to: now })
  const parts =
    policy === 'keep' ? event.parts : event.parts.map((part) => partWithoutWords(part, policy))
  const kept = await sessions.keep(
    ctx.db,
    { ...key, ...namesOf(event, request, now), at: now, parts },
    MODEL_EVENTS_MAX,
  )
  return kept === 'too_many' ? refuse('too_many') : { kept: kept === 'kept' }
}

function eventIn(body: Buffer): ModelEvent | undefined {
  try {
    return readEvent(JSON.parse(body.toString('utf8')))
  } catch {
    // as JSON.parse does, and a text that nests too deeply
    return undefined
  }
}

/**
 * The name of an event, the same if it comes again: of its id; without one of its signature, with which the platform tries
 * again; or of its text, for some seconds.
 */
function namesOf({ id }: ModelEvent, { headers, body }: Sent, now: number) {
  const signature = headers[SIGNATURE]
  const text = body.toString('utf8')
  if (id !== undefined) return { name: digest(`id ${id}`), unless: [] }
  if (signature !== undefined) return { name: digest(`signed ${signature}`), unless: [] }
  const slot = Math.floor(now / DOUBLE_MS)
  const nameIn = (n: number) => digest(`text ${n} ${text}`)
  return { name: nameIn(slot), unless: [nameIn(slot - 1)] }
}

/** True for a call of the account that goes on, or ended a short time ago; else why its events are refused. */
async function mayBeOf(
  ctx: Context,
  key: sessions.CallKey,
  now: number,
): Promise<true | 'unknown_call' | 'late'> {
  const known = await sessions.callOf(ctx.db, key)
  if (known && now - Number(known.checked_at) < CHECK_MS) return true
  const answer = await lookUp(ctx, key, now)
  if (answer === true) await sessions.noteCall(ctx.db, key, now)
  return answer
}

async function lookUp({ state, stores }: Context, key: sessions.CallKey, now: number) {
  const { account_sid, call_sid } = key
  const going = await state.call(account_sid, call_sid)
  if (isOneOf(ACTIVE_STATUSES, going?.callStatus)) return true
  const call = await stores.calls.find({ account_sid }, { call_sid })
  if (call) {
    const ended = Date.parse(call.terminated_at ?? call.attempted_at)
    return now - ended > LATE_MS ? 'late' : true
  }
  // its record is on the way
  if (going) return true
  // without the platform's Redis nobody knows of a call before it is over, but whose others are
  const isUnknown = state !== noState || (await stores.calls.find({}, { call_sid })) !== undefined
  return isUnknown ? 'unknown_call' : true
}
