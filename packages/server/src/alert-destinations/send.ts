import { destinationKind } from '@switchroom/contract'
import type { Context } from '../context.ts'
import { mailOf, type Notice, requestFor } from './message.ts'
import type { Row } from './queries.ts'

export type Outcome =
  | { ok: true; message: string }
  /** `lasting`: another try would end the same. */
  | { ok: false; message: string; lasting: boolean }

type Sending = Pick<Context, 'box' | 'mail' | 'outbound' | 'log'>

export const TIMEOUT_MS = 10_000
const MAX_BYTES = 64 * 1024
/** Refusals that pass. */
const PASSING = [408, 425, 429]

const failed = (message: string, lasting = false): Outcome => ({ ok: false, message, lasting })

/** Sends a notice to where a destination leads. Never throws: what goes wrong is said in words. */
export async function send(ctx: Sending, row: Row, notice: Notice, now: number): Promise<Outcome> {
  if (row.kind === 'mail') return sendMail(ctx, row.address ?? '', notice)
  const secret = row.sealed_secret === null ? '' : ctx.box.open(row.sealed_secret)
  if (secret === undefined) return failed('The stored secret cannot be read; enter it again', true)
  const { url, ...request } = requestFor[row.kind](notice, {
    address: row.address ?? '',
    secret,
    now,
  })
  const who = row.kind === 'webhook' ? 'The receiver' : destinationKind(row.kind).name
  try {
    const { status, text } = await ctx.outbound.fetch(url, {
      method: 'POST',
      ...request,
      timeout_ms: TIMEOUT_MS,
      max_bytes: MAX_BYTES,
    })
    if (status >= 200 && status < 300) return { ok: true, message: `${who} answered ${status}` }
    const lasting = status < 500 && !PASSING.includes(status)
    return failed(`${who} answered ${status}${reason(row, status, text)}`, lasting)
  } catch (e) {
    return unsent(e, who)
  }
}

/** What may be repeated of a refusal: Slack's own words for it are of this form, and no text of anybody's. */
function reason({ kind }: Row, status: number, text: string): string {
  if (status >= 300 && status < 400) return ', and redirects are not followed'
  return kind === 'slack' && /^[a-z_]{1,60}$/.test(text) ? ` (${text})` : ''
}

function unsent(error: unknown, who: string): Outcome {
  for (let e = error; e instanceof Error; e = e.cause) {
    if (e.name === 'Blocked') return failed(e.message, true)
    if (e.name === 'TooLarge') return failed(`${who} answered too much`)
    if (e.name.endsWith('TimeoutError'))
      return failed(`${who} did not answer within ${TIMEOUT_MS / 1_000} seconds`)
  }
  return failed(`${who} cannot be reached`)
}

async function sendMail({ mail, log }: Sending, to: string, notice: Notice): Promise<Outcome> {
  if (!mail) return failed('This server is not set up to send mail', true)
  try {
    await mail({ to, ...mailOf(notice) })
    return { ok: true, message: 'The mail server took the message' }
  } catch (e) {
    const { code, responseCode = 0 } = e as { code?: string; responseCode?: number }
    log.warn({ code, responseCode }, 'an alert could not be mailed')
    return responseCode
      ? failed(`The mail server answered ${responseCode}`, responseCode >= 550)
      : failed('The mail server cannot be reached')
  }
}
