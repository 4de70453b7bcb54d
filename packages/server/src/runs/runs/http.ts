import { t, type Webhook } from '@switchroom/contract'
import { readAnswer } from '../../applications/webhook-answer.ts'
import { failureOf } from '../../tenants/webhook-log/outcome.ts'
import { basicOf, webhookHeaders } from '../../tenants/webhooks/headers.ts'
import type { Call } from './call.ts'
import { isTooDeep, type Received, TOO_DEEP } from './received.ts'
import { PAUSES_MS, retriesOf, withoutHash } from './retries.ts'

type Sent = {
  url: string
  method: 'GET' | 'POST'
  /** Whose user and password go with it. */
  credentials: Pick<Webhook, 'username' | 'password'> | null
  /** JSON. */
  body: string
  /** The trace header; some hooks have none. */
  b3?: string | undefined
  /** Whether the call goes on meanwhile, so that it takes no time on the run's clock. */
  isAside?: boolean | undefined
}

/** Sends a message as an HTTP request, as the platform does. Failures are in what it returns. */
export async function sendHttp(call: Call, sent: Sent): Promise<Received> {
  const { outbound, clock, limits, application } = call
  const { url, method, credentials, body, b3, isAside } = sent
  const is_get = method === 'GET'
  const { count, retries } = retriesOf(url)
  const how = {
    method,
    headers: {
      'user-agent': 'jambonz',
      ...(b3 && { b3 }),
      // signed once: every attempt has the same time
      ...webhookHeaders({
        is_get,
        basic: credentials ? basicOf(credentials) : undefined,
        secret: application.webhook_secret,
        seconds: Math.floor(Date.now() / 1_000),
        body,
      }),
    },
    ...(!is_get && { body }),
    timeout_ms: limits.request_ms,
    max_bytes: limits.answer_bytes,
  }
  for (let attempt = 1; ; attempt += 1) {
    const sending = outbound.fetch(withoutHash(url), how).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    )
    const done = await (isAside ? clock.aside(sending) : clock.measure(sending))
    const isLast = attempt > count
    if ('error' in done) {
      if (isLast || !retries(done)) return unanswered(done.error, attempt, limits.request_ms)
    } else {
      const read = await received(done.answer, attempt)
      if (isLast || read.outcome !== 'status' || !retries({ status: done.answer.status }))
        return read
    }
    if (!isAside) clock.spend(PAUSES_MS[attempt - 1] ?? 0)
  }
}

function unanswered(error: unknown, attempts: number, limit_ms: number): Received {
  const { outcome, error: sentence } = failureOf(error, limit_ms)
  const text =
    outcome === 'too_large'
      ? t('The response is larger than 1 MB, so it is not read. The platform has no such limit.')
      : sentence
  return { outcome: 'failed', status: null, text: '', body: undefined, attempts, problem: { text } }
}

async function received(
  answer: Awaited<ReturnType<Call['outbound']['fetch']>>,
  attempts: number,
): Promise<Received> {
  const { status, text } = answer
  const common = { status, text, body: undefined, attempts }
  if (isTooDeep(text))
    return {
      ...common,
      outcome: 'failed',
      problem: {
        text: TOO_DEEP,
      },
    }
  const read = await readAnswer(answer)
  switch (read.kind) {
    case 'redirect':
      return {
        ...common,
        outcome: 'status',
        problem: {
          text: t('The platform does not follow redirects. {status} counts as an error.', {
            status,
          }),
          reason: 'Unexpected HTTP Response',
        },
      }
    case 'status':
      return {
        ...common,
        outcome: 'status',
        problem: {
          text: t(
            'The platform accepts the statuses 200, 202 and 204. {status} counts as an error.',
            {
              status,
            },
          ),
          reason: 'Unexpected HTTP Response',
        },
      }
    case 'broken':
      return {
        ...common,
        outcome: 'failed',
        problem: { text: t('Not valid JSON'), reason: parserMessage(text) },
      }
    case 'other_type':
      return {
        ...common,
        outcome: 'ok',
        note: t('The platform reads the response only if its content type is application/json.'),
      }
    case 'empty':
      return { ...common, outcome: 'ok' }
    case 'json':
      return { ...common, outcome: 'ok', body: read.body }
  }
}

/** What the platform's parser says of it. */
function parserMessage(text: string) {
  try {
    JSON.parse(text)
  } catch (e) {
    if (e instanceof Error) return e.message.slice(0, 200)
  }
  return undefined
}
