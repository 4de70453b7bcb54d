import { z } from 'zod'
import { listQuery, pageOf, resource, Sid } from '../wire/common.ts'
import { endpoints, lists } from '../wire/endpoint.ts'
import { Integer, IntegerOrNull, StringOrNull } from '../wire/fields.ts'
import { hidden } from '../wire/hidden.ts'
import { keysOf } from '../wire/records.ts'
import { RequestBody } from '../wire/request-body.ts'
import { t } from '../wire/text.ts'
import { REQUEST_KINDS, REQUEST_OUTCOMES, TEST_HOOKS } from './request-text.ts'

const KINDS = keysOf(REQUEST_KINDS)
const OUTCOMES = keysOf(REQUEST_OUTCOMES)
const HOOKS = keysOf(TEST_HOOKS)
const sid = StringOrNull

/** A request that this server sent to an address of an account or a provider. Secrets are masked when it is stored. */
export const WebhookRequest = z.object({
  webhook_request_sid: z.string(),
  /** Null for requests of a provider, and of administrators, which name neither. */
  account_sid: sid,
  service_provider_sid: sid,
  kind: z.enum(KINDS),
  application_sid: sid,
  hook: z.enum(HOOKS).nullable(),
  alert_destination_sid: sid,
  /** The request that this one repeats. */
  repeats: sid,
  /** ISO 8601, UTC. */
  at: z.string(),
  method: z.string(),
  url: hidden(z.string(), 'host'),
  outcome: z.enum(OUTCOMES),
  /** The HTTP status; null without a response. */
  status: IntegerOrNull,
  /** Why there was no response. */
  error: StringOrNull,
  duration_ms: Integer,
  /** 1 for the first attempt of a delivery. */
  attempt: Integer,
})
export type WebhookRequest = z.infer<typeof WebhookRequest>
export const WebhookRequestItem = WebhookRequest.extend({ account_name: StringOrNull })
export type WebhookRequestItem = z.infer<typeof WebhookRequestItem>

const Headers = z.array(z.object({ name: z.string(), value: hidden(z.string(), 'text') }))
const Body = RequestBody.nullable()

/** The platform's verdict on the response of a calling webhook: `ok` if it would run it. */
export const Verdict = z.object({
  ok: z.boolean(),
  message: z.string(),
  /** Line of the error, from 1; null if the error is in the response as a whole. */
  line: IntegerOrNull,
  column: IntegerOrNull,
  /** Path of the error in the JSON; null if the response is not JSON. */
  path: z.array(z.union([z.string(), z.number()])).nullable(),
})
export type Verdict = z.infer<typeof Verdict>

export const WebhookRequestView = WebhookRequest.extend({
  request_headers: Headers,
  request_body: Body,
  response_headers: Headers,
  response_body: Body,
  /** The signature header, and whether the current signing secret makes it; null for unsigned requests. */
  signature: z
    .object({ header: z.string(), check: z.enum(['valid', 'differs', 'unknown']) })
    .nullable(),
  /** Null unless it is a test of a calling webhook that answered. */
  verdict: Verdict.nullable(),
})
export type WebhookRequestView = z.infer<typeof WebhookRequestView>

/** Larger payloads could not be kept whole, and so not sent again. */
export const TEST_PAYLOAD_MAX = 16_384
export const TEST_PAYLOAD_TOO_LARGE = t('The payload can have at most 16 kB')

export const TestRequest = z.object({
  hook: z.enum(HOOKS, t('Choose a webhook')),
  /** Any JSON object. Masked values of `env_vars` stand for the application's own. */
  payload: z
    .record(z.string(), z.unknown(), t('Enter a JSON object'))
    .refine(
      (payload) => new TextEncoder().encode(JSON.stringify(payload)).length <= TEST_PAYLOAD_MAX,
      TEST_PAYLOAD_TOO_LARGE,
    ),
})

const { one, all } = resource('/WebhookRequests', { webhook_request_sid: Sid })

export const webhookRequests = endpoints({
  list: {
    ...all,
    ...lists,
    summary: 'List requests sent to webhooks, newest first',
    own: true,
    query: listQuery('at').extend({
      kind: z.enum(KINDS).optional(),
      /** `failed` is every outcome but `accepted`. */
      outcome: z.enum(['failed', ...OUTCOMES]).optional(),
      account_sid: Sid.optional(),
      service_provider_sid: Sid.optional(),
      application_sid: Sid.optional(),
      alert_destination_sid: Sid.optional(),
      /** ISO 8601, such as 2026-01-31T12:00:00Z. */
      from: z.iso.datetime(t('Enter a time, such as 2026-01-31T00:00:00Z')).optional(),
      to: z.iso.datetime(t('Enter a time, such as 2026-01-31T00:00:00Z')).optional(),
    }),
    response: pageOf(WebhookRequestItem),
  },
  view: {
    ...one,
    method: 'GET',
    own: true,
    summary: 'Get a request sent to a webhook, with its response',
    response: WebhookRequestView,
  },
  resend: {
    ...one,
    path: '/WebhookRequests/:webhook_request_sid/Resend',
    method: 'POST',
    own: true,
    summary: 'Send a request again, newly signed, and return it with its response',
    response: WebhookRequestView,
  },
  test: {
    path: '/Applications/:application_sid/TestRequests',
    params: z.object({ application_sid: Sid }),
    access: 'account',
    method: 'POST',
    own: true,
    summary: 'Send a test request to a webhook of an application, and return it with its response',
    body: TestRequest,
    response: WebhookRequestView,
  },
})
