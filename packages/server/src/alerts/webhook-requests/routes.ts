import { type api, t, type WebhookRequestView } from '@switchroom/contract'
import * as applications from '../../applications/queries.ts'
import { auditEvent } from '../../audit/audited.ts'
import type { Context } from '../../http/context.ts'
import { Failure, found } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import type { Row } from '../../tenants/webhook-log/record.ts'
import { sendLogged } from '../../tenants/webhook-log/send-logged.ts'
import * as requests from './queries.ts'
import type { Prepared } from './rebuild.ts'

/** Imports the code that reconstructs requests, which few servers need. */
const rebuilding = () => import('./rebuild.ts')

/** Limit for a person, or an API key. */
const SENT_PER_MINUTE = 30

const CANNOT_REPEAT = t(
  'This request cannot be sent again: its address has changed or been deleted since, or the log keeps only a part of it.',
)

/** Counts requests that callers send themselves, over all processes. Throws 429 above the limit. */
async function countRequest({ live }: Context, scope: Scope) {
  const caller = scope.user_sid ?? scope.api_key_sid ?? scope.role
  const minute = Math.floor(Date.now() / 60_000)
  const sent = await live.increment(`switchroom:webhook-sent:${caller}:${minute}`, 60)
  if (sent > SENT_PER_MINUTE)
    throw new Failure('too_many', t('Too many requests to webhooks. Try again in a minute.'), {
      retry_after: Math.ceil(((minute + 1) * 60_000 - Date.now()) / 1_000),
    })
}

/** Sends it now, and resolves to how the log shows it. */
async function send(ctx: Context, scope: Scope, prepared: Prepared, repeats: string | null) {
  const { receiver: _, about, url, headers, signed: __, ...how } = prepared
  const { row, written } = await sendLogged(ctx, { ...about, repeats }, url, {
    ...how,
    headers: headers(Math.floor(Date.now() / 1_000)),
  })
  // so that the list has the request as soon as the caller does
  await written
  return shown(ctx, scope, row)
}

async function shown(ctx: Context, scope: Scope, row: Row): Promise<WebhookRequestView> {
  const { owner: _, host: __, digest: ___, ...rest } = row
  return {
    ...rest,
    request_headers: JSON.parse(row.request_headers),
    response_headers: JSON.parse(row.response_headers),
    request_body: row.request_body === null ? null : JSON.parse(row.request_body),
    response_body: row.response_body === null ? null : JSON.parse(row.response_body),
    verdict: row.verdict === null ? null : JSON.parse(row.verdict),
    signature: await signatureOf(ctx, scope, row),
  }
}

/** Compares a logged signature with the one that today's secret makes for the same time. */
async function signatureOf(ctx: Context, scope: Scope, row: Row) {
  const { headerIn, rebuild } = await rebuilding()
  const of = (name: string) => headerIn(row.request_headers, name)
  const header = of('Jambonz-Signature') ?? of('webhook-signature')
  if (header === undefined) return null
  const seconds = Number(/^t=(\d+)/.exec(header)?.[1] ?? of('webhook-timestamp'))
  const prepared = await rebuild(ctx, scope, row)
  if (!prepared?.signed) return { header, check: 'unknown' as const }
  const made = prepared.headers(seconds)[prepared.signed.header]
  return { header, check: made === header ? ('valid' as const) : ('differs' as const) }
}

export const webhookRequestRoutes: Handlers<typeof api.webhookRequests> = {
  list: ({ query, scope, ctx }) => requests.list(ctx.db, scope, query),

  view: async ({ params, scope, ctx }) =>
    shown(
      ctx,
      scope,
      found(await requests.find(ctx.db, scope, params.webhook_request_sid), t('request')),
    ),

  async resend({ params: { webhook_request_sid: sid }, ...actor }) {
    const { scope, ctx } = actor
    const row = found(await requests.find(ctx.db, scope, sid), t('request'))
    await countRequest(ctx, scope)
    const prepared = await (await rebuilding()).rebuild(ctx, scope, row)
    if (!prepared) throw new Failure('conflict', CANNOT_REPEAT)
    await auditEvent(actor, { action: 'send', ...prepared.receiver })
    return send(ctx, scope, prepared, sid)
  },

  async test({ params: { application_sid }, body, ...actor }) {
    const { scope, ctx } = actor
    const application = found(
      await applications.find(ctx.db, scope, application_sid),
      t('application'),
    )
    const { testRequest } = await rebuilding()
    const prepared = await testRequest(ctx, scope, application, body)
    await countRequest(ctx, scope)
    await auditEvent(actor, { action: 'send', ...prepared.receiver })
    return send(ctx, scope, prepared, null)
  },
}
