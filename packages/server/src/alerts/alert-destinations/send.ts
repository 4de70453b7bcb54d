import { destinationKind } from '@switchroom/contract'
import { errorCode, errorNumber } from '../../errors/members.ts'
import type { Context } from '../../http/context.ts'
import { mailOf, type Notice, requestFor } from './message.ts'
import type { Row } from './queries.ts'

export type Outcome =
  | { ok: true; message: string }
  /** `lasting`: a retry would fail the same way. */
  | { ok: false; message: string; lasting: boolean }

type Sending = Pick<Context, 'box' | 'mail' | 'outbound' | 'log'>

export const TIMEOUT_MS = 10_000
const MAX_BYTES = 64 * 1024
/** Status codes that a retry may overcome. */
const PASSING = [408, 425, 429]

const failed = (message: string, lasting = false): Outcome => ({ ok: false, message, lasting })

/** Sends a message to a destination. Never throws: errors are in the result. */
export async function send(ctx: Sending, row: Row, notice: Notice, now: number): Promise<Outcome> {
  if (row.kind === 'mail') return sendMail(ctx, row.address ?? '', notice)
  const secret = row.sealed_secret === null ? '' : ctx.box.open(row.sealed_secret)
  if (secret === undefined)
    return failed('The stored secret cannot be decrypted. Enter it again', true)
  const { url, ...request } = requestFor[row.kind](notice, {
    address: row.address ?? '',
    secret,
    now,
  })
  const receiver = row.kind === 'webhook' ? 'The receiver' : destinationKind(row.kind).name
  try {
    const { status, text } = await ctx.outbound.fetch(url, {
      method: 'POST',
      ...request,
      timeout_ms: TIMEOUT_MS,
      max_bytes: MAX_BYTES,
    })
    if (status >= 200 && status < 300)
      return { ok: true, message: `${receiver} answered ${status}` }
    const lasting = status < 500 && !PASSING.includes(status)
    return failed(`${receiver} answered ${status}${reason(row, status, text)}`, lasting)
  } catch (e) {
    return notSent(e, receiver)
  }
}

/** The safe part of an error: Slack's error codes have this form; other text may hold anything. */
function reason({ kind }: Row, status: number, text: string): string {
  if (status >= 300 && status < 400) return ', and redirects are not followed'
  return kind === 'slack' && /^[a-z_]{1,60}$/.test(text) ? ` (${text})` : ''
}

function notSent(error: unknown, receiver: string): Outcome {
  for (let e = error; e instanceof Error; e = e.cause) {
    if (e.name === 'Blocked') return failed(e.message, true)
    if (e.name === 'TooLarge') return failed(`${receiver} answered with too large a response`)
    if (e.name.endsWith('TimeoutError'))
      return failed(`${receiver} did not answer within ${TIMEOUT_MS / 1_000} seconds`)
  }
  return failed(`${receiver} cannot be reached`)
}

async function sendMail({ mail, log }: Sending, to: string, notice: Notice): Promise<Outcome> {
  if (!mail) return failed('This server is not configured to send email', true)
  try {
    await mail({ to, ...mailOf(notice) })
    return { ok: true, message: 'The mail server accepted the message' }
  } catch (e) {
    const responseCode = errorNumber(e, 'responseCode') ?? 0
    log.warn({ code: errorCode(e), responseCode }, 'alert could not be mailed')
    return responseCode
      ? failed(`The mail server answered ${responseCode}`, responseCode >= 550)
      : failed('The mail server cannot be reached')
  }
}
