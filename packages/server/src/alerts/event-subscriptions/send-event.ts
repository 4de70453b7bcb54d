import { type ProgramEvent, type TestEvent, t } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { LIMITS, notSent } from '../alert-destinations/send.ts'
import type { Row } from './queries.ts'
import { secretsOf, signedHeaders } from './signing.ts'

export type Outcome = {
  ok: boolean
  message: string
  /** Null without a response. */
  status: number | null
  duration_ms: number
}

/**
 * Sends an event to a webhook. Never throws: errors are in the result. Not in the webhook log, which events would push
 * all other requests out of: deliveries are a log of their own.
 */
export async function sendEvent(
  ctx: Pick<Context, 'outbound' | 'box'>,
  row: Row,
  event: ProgramEvent | TestEvent,
  now: number,
): Promise<Outcome> {
  const secrets = secretsOf(ctx, row, now)
  const failed = (message: string, status: number | null, duration_ms = 0) => ({
    ...{ ok: false, message, status, duration_ms },
  })
  if (!secrets) return failed(t('The stored secret cannot be decrypted. Rotate it'), null)
  const body = JSON.stringify(event)
  const receiver = t('The receiver')
  const began = performance.now()
  const taken = () => Math.round(performance.now() - began)
  try {
    const { status } = await ctx.outbound.fetch(row.url, {
      ...{ method: 'POST', headers: signedHeaders(secrets, event.id, now, body), body },
      ...LIMITS,
    })
    if (status >= 200 && status < 300)
      return {
        ...{ ok: true, message: t('{receiver} answered {status}', { receiver, status }) },
        ...{ status, duration_ms: taken() },
      }
    const reason = status >= 300 && status < 400 ? `, ${t('and redirects are not followed')}` : ''
    return failed(
      t('{receiver} answered {status}{reason}', { receiver, status, reason }),
      status,
      taken(),
    )
  } catch (e) {
    return failed(notSent(e, receiver).message, null, taken())
  }
}
