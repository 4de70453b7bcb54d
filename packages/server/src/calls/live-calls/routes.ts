import { type Application, type api, type liveCalls, membersOf, t } from '@switchroom/contract'
import * as applications from '../../applications/queries.ts'
import type { Context } from '../../http/context.ts'
import { Failure, found, invalidField } from '../../http/failure.ts'
import { newCallUrl, reasonOf, relay } from '../../http/feature-servers.ts'
import type { RequestMeta, Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import { auditCall, nameOf, sendCommand } from './commands.ts'
import * as calls from './queries.ts'

type HandlerInput = {
  params: { account_sid: string }
  scope: Scope
  ctx: Context
  meta: RequestMeta
}
type Body = Record<string, unknown>

const owner = async ({ params, scope, ctx }: Omit<HandlerInput, 'by'>) =>
  found(await accounts.findVisible(ctx.db, scope, params.account_sid), t('account'))

const SPEECH = [
  'speech_synthesis_vendor',
  'speech_synthesis_language',
  'speech_synthesis_voice',
  'speech_synthesis_label',
  'speech_recognizer_vendor',
  'speech_recognizer_language',
  'speech_recognizer_label',
] as const

const hook = (value: unknown) =>
  typeof value === 'string' ? { url: value, method: 'POST' } : (value ?? undefined)

/** Settings of a call that the application decides, whatever else the body says. */
const byApplication = (a: Application) => ({
  call_hook: a.call_hook ?? undefined,
  call_status_hook: a.call_status_hook ?? undefined,
  app_json: a.app_json ?? undefined,
  ...Object.fromEntries(SPEECH.map((name) => [name, a[name] ?? undefined])),
})

async function applicationIn(body: Body, { params, scope, ctx }: HandlerInput) {
  const sid = body.application_sid
  if (typeof sid !== 'string') return undefined
  const application = await applications.view(ctx, scope, sid.toLowerCase())
  if (application?.account_sid !== params.account_sid)
    throw invalidField('application_sid', t('application_sid not found {sid}', { sid }))
  return application
}

const update: Handlers<Pick<typeof liveCalls, 'update'>>['update'] = async (input) =>
  sendCommand(input, await owner(input), input.params.call_sid, input.body)

export const liveCallRoutes: Handlers<typeof api.liveCalls> = {
  list: ({ query, scope, ctx }) => calls.list(ctx, scope, query),

  async create(input) {
    const { params, scope, ctx } = input
    const body: Body = input.body
    const account = await owner(input)
    if (scope.role === 'service_provider')
      throw invalidField(
        'account_sid',
        t('unauthorized createCall request for account {account_sid}', {
          account_sid: params.account_sid,
        }),
      )
    const url = await newCallUrl(ctx)
    const application = await applicationIn(body, input)
    const answer = await relay(url, {
      ...body,
      call_hook: hook(body.call_hook),
      call_status_hook: hook(body.call_status_hook),
      ...(application && byApplication(application)),
      account_sid: params.account_sid,
    })
    if (answer.status !== 201) throw new Failure('vendor_failed', reasonOf(answer))
    const to = membersOf(body.to)
    const callee = to.number ?? to.name ?? to.sipUri
    await auditCall(input, account, {
      action: 'create',
      sid: String(membersOf(answer.body).sid ?? ''),
      name: nameOf({ from: String(body.from), to: String(callee) }),
      before: null,
      after: { direction: 'outbound', application_sid: application?.application_sid ?? null },
    })
    return answer
  },

  async ofAccount(input) {
    await owner(input)
    return calls.ofAccount(input.ctx.state, input.params.account_sid, input.query)
  },

  async view(input) {
    await owner(input)
    const { account_sid, call_sid } = input.params
    return calls.readable(found(await input.ctx.state.call(account_sid, call_sid), t('call')))
  },

  update,
  updateByPost: update,

  async forget(input) {
    const account = await owner(input)
    const { params, ctx } = input
    const call = found(await ctx.state.call(params.account_sid, params.call_sid), t('call'))
    if (!(await ctx.state.forgetCall(params.account_sid, params.call_sid)))
      throw new Failure('not_found', t('No such call'))
    await auditCall(input, account, {
      action: 'delete',
      sid: params.call_sid,
      name: nameOf(call),
      before: { call_status: call.callStatus ?? null },
      after: null,
    })
  },

  async count(input) {
    await owner(input)
    const [counted] = await input.ctx.state.callCounts([input.params.account_sid])
    return { inbound: counted?.inbound ?? 0, outbound: counted?.outbound ?? 0 }
  },
}
