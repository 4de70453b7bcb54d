import { randomUUID } from 'node:crypto'
import type { RequestBody, Verdict } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import type { Answer, Outbound } from '../../outbound/outbound.ts'
import { hostOnly, maskedUrls, secretsOfUrl } from '../../secrets/without-secrets.ts'
import { keptBody, keptHeaders, type Masker, masker } from './kept-text.ts'
import { failureOf } from './outcome.ts'
import { type Recording, type Row, record } from './record.ts'

export type Logging = Recording & Pick<Context, 'outbound' | 'box'>

/** Owner and purpose of a request. */
export type About = Pick<Row, 'kind'> &
  Partial<
    Pick<Row, 'application_sid' | 'hook' | 'alert_destination_sid' | 'repeats' | 'attempt'>
  > & {
    /** The owner of the address. */
    account_sid: string | null
    service_provider_sid: string | null
    /** Masked wherever they occur, also in the response. */
    secrets?: readonly string[]
    /** The full URL is a secret that grants access, so only its host is kept. */
    hasSecretUrl?: boolean
    /** Judges a response. `shown` is its body as the log keeps it. */
    judge?: (answer: Answer, shown: RequestBody) => Promise<Verdict | undefined>
  }

type How = Omit<Parameters<Outbound['fetch']>[1], 'body'> & { body?: string }

/** Digest of a request without its headers, which are made again whenever it is repeated. */
export const digestOf = (
  { box }: Pick<Context, 'box'>,
  { method, url, body }: { method: string; url: string; body?: string | undefined },
) => box.digest(`${method} ${url}\n${body ?? ''}`)

/**
 * Sends a request to a user's address through the outbound guard, and writes it into the webhook log. `written`
 * resolves once the log has it, or has failed.
 */
export async function sendLogged(ctx: Logging, about: About, url: string, how: How) {
  const sent = await send(ctx, url, how)
  const row = await rowOf(ctx, about, sent)
  return { row, written: record(ctx, row) }
}

/** Outbound access whose requests are written into the webhook log. Neither waits for that, nor fails with it. */
export const loggedOutbound = (ctx: Logging, about: About): Pick<Outbound, 'fetch'> => ({
  async fetch(url, { body, ...how }) {
    const sent = await send(ctx, url, { ...how, ...(body !== undefined && { body: String(body) }) })
    rowOf(ctx, about, sent)
      .then((row) => record(ctx, row))
      .catch((err: unknown) => ctx.log.error({ err }, 'a request to a webhook cannot be logged'))
    if ('error' in sent.done) throw sent.done.error
    return sent.done.answer
  },
})

type Sent = Awaited<ReturnType<typeof send>>

async function send({ outbound }: Pick<Context, 'outbound'>, url: string, how: How) {
  const at = new Date().toISOString()
  const began = performance.now()
  const done = await outbound.fetch(url, how).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  )
  return { at, duration_ms: Math.round(performance.now() - began), url, how, done }
}

async function rowOf(
  ctx: Pick<Context, 'box'>,
  about: About,
  { at, duration_ms, url, how, done }: Sent,
): Promise<Row> {
  const { kind, account_sid, service_provider_sid, hasSecretUrl, secrets = [] } = about
  const mask = masker([...secrets, ...secretsOfUrl(url)])
  return {
    webhook_request_sid: randomUUID(),
    owner: account_sid ?? service_provider_sid ?? '',
    account_sid,
    service_provider_sid,
    kind,
    application_sid: about.application_sid ?? null,
    hook: about.hook ?? null,
    alert_destination_sid: about.alert_destination_sid ?? null,
    repeats: about.repeats ?? null,
    at,
    method: how.method,
    url: hasSecretUrl ? hostOnly(url) : maskedUrls(url),
    host: URL.canParse(url) ? new URL(url).host.slice(0, 255) : '',
    duration_ms,
    attempt: about.attempt ?? 1,
    request_headers: JSON.stringify(keptHeaders(how.headers ?? {}, mask)),
    request_body: how.body === undefined ? null : JSON.stringify(keptBody(how.body, mask)),
    digest: digestOf(ctx, { ...how, url }),
    ...('answer' in done
      ? await answered(done.answer, mask, about.judge)
      : unanswered(done.error, how.timeout_ms)),
  }
}

async function answered(answer: Answer, mask: Masker, judge: About['judge']) {
  const { status, headers, text, bytes } = answer
  const shown = keptBody(text, mask, bytes.length)
  const verdict = await judge?.(answer, shown)
  return {
    outcome: status >= 200 && status < 300 ? ('accepted' as const) : ('error_status' as const),
    status,
    error: null,
    response_headers: JSON.stringify(keptHeaders(headers, mask)),
    response_body: bytes.length > 0 ? JSON.stringify(shown) : null,
    verdict: verdict ? JSON.stringify(verdict) : null,
  }
}

const unanswered = (error: unknown, timeout_ms: number) => ({
  ...failureOf(error, timeout_ms),
  status: null,
  response_headers: '[]',
  response_body: null,
  verdict: null,
})
