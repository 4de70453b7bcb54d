import {
  type AuditKind,
  isRecord,
  MASK,
  membersOf,
  RequestBody,
  type TestHook,
  t,
} from '@switchroom/contract'
import { platformVersion } from '../../applications/platform-version.ts'
import * as applications from '../../applications/queries.ts'
import { secretValues } from '../../applications/secret-values.ts'
import type { Context } from '../../http/context.ts'
import { invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import { APP_ENV_REQUEST } from '../../outbound/app-env.ts'
import { hostOnly, maskedUrls } from '../../secrets/without-secrets.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import type { Row } from '../../tenants/webhook-log/record.ts'
import { type About, digestOf } from '../../tenants/webhook-log/send-logged.ts'
import { basicOf, webhookHeaders } from '../../tenants/webhooks/headers.ts'
import * as webhooks from '../../tenants/webhooks/queries.ts'
import { SIGNATURE_HEADER } from '../../tenants/webhooks/signature.ts'
import { signature } from '../alert-destinations/message.ts'
import * as destinations from '../alert-destinations/queries.ts'
import { LIMITS, loggedAs, secretOf } from '../alert-destinations/send.ts'
import { judge } from './judge.ts'

type Ctx = Pick<Context, 'db' | 'box' | 'config' | 'stores'>

/** A request with its secrets, ready to be sent. */
export type Prepared = {
  /** The receiver as the audit log names it. */
  receiver: { kind: AuditKind; sid: string; subject: object }
  about: About
  url: string
  method: 'GET' | 'POST' | 'OPTIONS'
  body?: string
  /** All headers, signed for a time in Unix seconds. */
  headers: (seconds: number) => Record<string, string>
  signed?: { header: string }
  timeout_ms: number
  max_bytes: number
}

const TEST_LIMITS = { timeout_ms: 10_000, max_bytes: 256 * 1024 }
const JSON_TYPE = { 'content-type': 'application/json' }

const WEBSOCKET = t(
  'This webhook is a WebSocket, which cannot be tested here. Only http and https can.',
)

type Application = NonNullable<Awaited<ReturnType<typeof applications.find>>>
type Test = { hook: TestHook; payload: Record<string, unknown> }

/** A test request, signed as the platform does it. Throws 400 for a hook that the application lacks. */
export async function testRequest(
  ctx: Ctx,
  scope: Scope,
  row: Application,
  { hook, payload }: Test,
): Promise<Prepared> {
  const { db, box } = ctx
  const { application_sid } = row
  const hook_sid = row[`${hook}_sid`]
  const webhook = (await webhooks.bySid(db, [hook_sid])).get(hook_sid ?? '')
  if (!webhook) throw invalidField('hook', t('This application does not have this webhook'))
  const { url, password } = webhook
  if (/^wss?:/i.test(url)) throw invalidField('hook', WEBSOCKET)
  const account = row.account_sid ? await accounts.stored(db, scope, row.account_sid) : undefined
  const secret = account?.webhook_secret
  const variables = applications.environment(box, row.env_vars) ?? {}
  const body = JSON.stringify(withVariables(payload, variables))
  const basic = basicOf(webhook)
  const isGet = webhook.method.toUpperCase() === 'GET'
  return {
    receiver: { kind: 'application', sid: application_sid, subject: row },
    about: {
      kind: 'test',
      account_sid: row.account_sid,
      service_provider_sid: row.service_provider_sid,
      application_sid,
      hook,
      secrets: [password, basic, secret, ...secretValues(variables)].filter(
        (s) => typeof s === 'string',
      ),
      ...(hook === 'call_hook' && { judge: judge.bind(undefined, await platformVersion(ctx)) }),
    },
    url,
    method: isGet ? 'GET' : 'POST',
    ...(!isGet && { body }),
    headers: (seconds) => ({
      'user-agent': 'Switchroom',
      ...webhookHeaders({ is_get: isGet, basic, secret, seconds, body }),
    }),
    ...(secret && { signed: { header: SIGNATURE_HEADER } }),
    ...TEST_LIMITS,
  }
}

/** Masked environment variables stand for the application's own. */
function withVariables(payload: Record<string, unknown>, stored: Record<string, unknown>) {
  const { env_vars } = payload
  if (!isRecord(env_vars)) return payload
  const filled = Object.entries(env_vars).map(([name, value]) => [
    name,
    value === MASK && Object.hasOwn(stored, name) ? stored[name] : value,
  ])
  return { ...payload, env_vars: Object.fromEntries(filled) }
}

/**
 * A logged request with the secrets that the log masks, from where they are stored. Undefined if it cannot be
 * reconstructed exactly: its address has changed since, it was cut, or a masked secret is stored nowhere.
 */
export async function rebuild(ctx: Ctx, scope: Scope, row: Row): Promise<Prepared | undefined> {
  const { repeats: _, ...rest } = row
  const prepared = await byKind[row.kind](ctx, scope, rest)
  return prepared && digestOf(ctx, prepared) === row.digest ? prepared : undefined
}

type Logged = Omit<Row, 'repeats'>
type Rebuild = (ctx: Ctx, scope: Scope, row: Logged) => Promise<Prepared | undefined>

const byKind: Record<Row['kind'], Rebuild> = {
  async test(ctx, scope, { application_sid, hook, request_body }) {
    const application = application_sid && (await applications.find(ctx.db, scope, application_sid))
    if (!application || !hook || !application[`${hook}_sid`]) return undefined
    return testRequest(ctx, scope, application, { hook, payload: jsonOf(request_body) })
  },

  // it belongs to a call that is over
  run: async () => undefined,

  async environment({ db }, scope, row) {
    const { webhook_request_sid, account_sid, service_provider_sid, application_sid, url } = row
    const application = application_sid
      ? await applications.find(db, scope, application_sid)
      : undefined
    const hook_sid = application?.call_hook_sid ?? ''
    const hook = (await webhooks.bySid(db, [hook_sid])).get(hook_sid)
    // the log may mask a part of it
    const stored = hook?.url.replace(/^ws/i, 'http')
    const owner = { account_sid, service_provider_sid }
    return {
      receiver: application
        ? { kind: 'application', sid: application.application_sid, subject: application }
        : { kind: 'webhook', sid: webhook_request_sid, subject: { name: hostOnly(url), ...owner } },
      about: { kind: 'environment', ...owner, application_sid },
      ...APP_ENV_REQUEST,
      url: stored !== undefined && maskedUrls(stored) === url ? stored : url,
      headers: () => APP_ENV_REQUEST.headers,
    }
  },

  async alert(ctx, scope, { alert_destination_sid, url, request_body, request_headers }) {
    const destination =
      alert_destination_sid && (await destinations.find(ctx.db, scope, alert_destination_sid))
    if (!destination || destination.kind === 'mail') return undefined
    const secret = secretOf(ctx, destination)
    if (secret === undefined || request_body === null) return undefined
    const { text } = RequestBody.parse(JSON.parse(request_body))
    const common = {
      receiver: {
        kind: 'alert_destination' as const,
        sid: destination.alert_destination_sid,
        subject: destination,
      },
      about: loggedAs(destination, secret),
      method: 'POST' as const,
      headers: () => JSON_TYPE,
      ...LIMITS,
    }
    switch (destination.kind) {
      case 'slack':
        return { ...common, url: secret, body: text }
      case 'pagerduty':
        return {
          ...common,
          url,
          body: JSON.stringify({ ...jsonOf(request_body), routing_key: secret }),
        }
      case 'webhook': {
        const id = headerIn(request_headers, 'webhook-id') ?? ''
        return {
          ...common,
          url: destination.address ?? '',
          body: text,
          headers: (seconds) => ({
            ...JSON_TYPE,
            'webhook-id': id,
            'webhook-timestamp': String(seconds),
            'webhook-signature': signature(secret, id, seconds, text),
          }),
          signed: { header: 'webhook-signature' },
        }
      }
    }
  },
}

/** The members of a kept body; none if it is no JSON object. */
function jsonOf(body: string | null): Record<string, unknown> {
  try {
    return membersOf(JSON.parse(RequestBody.parse(JSON.parse(body ?? 'null')).text))
  } catch {
    return {}
  }
}

type Header = { name: string; value: string }
/** The value of a header in a logged request or response. */
export const headerIn = (headers: string, name: string) =>
  (JSON.parse(headers) as Header[]).find((h) => h.name.toLowerCase() === name.toLowerCase())?.value
