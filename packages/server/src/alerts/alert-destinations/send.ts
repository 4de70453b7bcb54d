import { destinationKind, MAIL_OFF, t } from '@switchroom/contract'
import { errorCode, errorNumber } from '../../errors/members.ts'
import type { Context } from '../../http/context.ts'
import { mailProblem } from '../../outbound/mail-message.ts'
import { type Logging, loggedOutbound } from '../../tenants/webhook-log/send-logged.ts'
import { mailOf, type Notice, requestFor } from './message.ts'
import type { Row } from './queries.ts'

export type Outcome =
  | { ok: true; message: string }
  /** `lasting`: a retry would fail the same way. */
  | { ok: false; message: string; lasting: boolean }

type Sending = Logging & Pick<Context, 'mail'>

const TIMEOUT_MS = 10_000
export const LIMITS = { timeout_ms: TIMEOUT_MS, max_bytes: 64 * 1024 }
/** Status codes that a retry may overcome. */
const PASSING = [408, 425, 429]

const failed = (message: string, lasting = false): Outcome => ({ ok: false, message, lasting })

/** The secret of a destination; undefined if it cannot be decrypted. */
export const secretOf = ({ box }: Pick<Context, 'box'>, { sealed_secret }: Row) =>
  sealed_secret === null ? '' : box.open(sealed_secret)

/** Identity of a destination's requests in the webhook log. */
export const loggedAs = (row: Row, secret: string) => ({
  kind: 'alert' as const,
  account_sid: row.account_sid,
  service_provider_sid: row.service_provider_sid,
  alert_destination_sid: row.alert_destination_sid,
  secrets: [secret, secret.replace(/^whsec_/, '')],
  hasSecretUrl: row.kind === 'slack',
})

/** Sends a message to a destination. Never throws: errors are in the result. */
export async function send(
  ctx: Sending,
  row: Row,
  notice: Notice,
  now: number,
  attempt = 1,
): Promise<Outcome> {
  if (row.kind === 'mail') return sendMail(ctx, row.address ?? '', notice)
  const secret = secretOf(ctx, row)
  if (secret === undefined)
    return failed(t('The stored secret cannot be decrypted. Enter it again'), true)
  const { url, ...request } = requestFor[row.kind](notice, {
    address: row.address ?? '',
    secret,
    now,
  })
  const receiver = row.kind === 'webhook' ? t('The receiver') : destinationKind(row.kind).name
  try {
    const outbound = loggedOutbound(ctx, { ...loggedAs(row, secret), attempt })
    const { status, text } = await outbound.fetch(url, {
      method: 'POST',
      ...request,
      ...LIMITS,
    })
    if (status >= 200 && status < 300)
      return { ok: true, message: t('{receiver} answered {status}', { receiver, status }) }
    const lasting = status < 500 && !PASSING.includes(status)
    return failed(
      t('{receiver} answered {status}{reason}', {
        receiver,
        status,
        reason: reason(row, status, text),
      }),
      lasting,
    )
  } catch (e) {
    return notSent(e, receiver)
  }
}

/** The safe part of an error: Slack's error codes have this form; other text may hold anything. */
function reason({ kind }: Row, status: number, text: string): string {
  if (status >= 300 && status < 400) return `, ${t('and redirects are not followed')}`
  return kind === 'slack' && /^[a-z_]{1,60}$/.test(text) ? ` (${text})` : ''
}

export function notSent(error: unknown, receiver: string): Outcome {
  for (let e = error; e instanceof Error; e = e.cause) {
    if (e.name === 'Blocked') return failed(e.message, true)
    if (e.name === 'TooLarge')
      return failed(t('{receiver} answered with too large a response', { receiver }))
    if (e.name.endsWith('TimeoutError'))
      return failed(
        t('{receiver} did not answer within {TIMEOUT_MS} seconds', {
          receiver,
          TIMEOUT_MS: TIMEOUT_MS / 1_000,
        }),
      )
  }
  return failed(t('{receiver} cannot be reached', { receiver }))
}

async function sendMail({ mail, log }: Sending, to: string, notice: Notice): Promise<Outcome> {
  if (!mail) return failed(MAIL_OFF, true)
  try {
    await mail({ to, ...mailOf(notice) })
    return { ok: true, message: t('The mail server accepted the message') }
  } catch (e) {
    const { sentence, lasting } = mailProblem(e)
    const responseCode = errorNumber(e, 'responseCode') ?? 0
    log.warn({ code: errorCode(e), responseCode }, 'alert could not be mailed')
    return failed(sentence, lasting)
  }
}
