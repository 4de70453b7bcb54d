import { randomUUID } from 'node:crypto'
import { type api, NO_SMS_PROVIDER } from '@switchroom/contract'
import { z } from 'zod'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { postToNextServer } from '../../http/feature-servers.ts'
import type { Handlers } from '../../http/serve.ts'
import { ModuleTimeout } from '../../sms-modules/modules.ts'
import * as messaging from './queries.ts'

const Numbers = z.array(z.union([z.string(), z.number().transform(String)]))
/** A carrier's message as converted by its module. */
const Converted = z.looseObject({ to: Numbers, cc: Numbers.nullish() })

export const messagingRoutes: Handlers<typeof api.messaging> = {
  async receive({ params: { provider }, body, ctx }) {
    const { module } = ctx.config.messaging.providers.get(provider) ?? {}
    if (!module || !(await abilities(ctx, provider, module)).receives)
      throw new Failure('not_found', `Unknown SMS provider ${provider}`)
    const message = await convertMessage(ctx, provider, module, body)
    const app = await messaging.applicationOf(ctx.db, [...message.to, ...(message.cc ?? [])])
    if (!app?.messaging_hook)
      throw new Failure('not_found', 'No application handles messages to these numbers')
    const path = `messaging/${encodeURIComponent(provider)}`
    const answer = await postToNextServer(ctx, path, { ...message, app }).catch(
      (cause: unknown) => {
        if (cause instanceof Failure && cause.code !== 'vendor_failed') throw cause
        throw new Failure('internal', 'The feature server does not answer', { cause })
      },
    )
    if (answer.status < 200 || answer.status >= 300)
      throw new Failure('internal', `The feature server answered ${answer.status}`)
    const { status, body: responseBody } = await ctx.modules
      .response(module, answer.body)
      .catch((e) => failed(ctx, provider, e, 'has no answer for the carrier'))
    return { status: status >= 200 && status < 600 ? Math.trunc(status) : 200, body: responseBody }
  },

  async send({ body, ctx }) {
    const { providers } = ctx.config.messaging
    const provider = body.provider || [...providers.keys()][0]
    const { module, options } = (provider && providers.get(provider)) || {}
    if (!provider || !module) throw new Failure('internal', NO_SMS_PROVIDER)
    if (!options?.url)
      throw new Failure('internal', `outboundSMS - provider ${provider} has no options.url`)
    if (!(await abilities(ctx, provider, module)).sends)
      throw new Failure('internal', `outboundSMS - the module of ${provider} sends no messages`)
    const answer = await ctx.modules
      .send(module, options, body)
      .catch((e) => failed(ctx, provider, e, 'could not send the message'))
    // modules do not report the carrier's refusals
    if (answer === undefined) ctx.log.warn({ provider }, 'SMS provider did not answer')
    return { status: 200, body: answer }
  },
}

type ModuleContext = Pick<Context, 'modules' | 'log'>

/** Logs only the kind of error: a module's message may hold the text or a password. */
function failed({ log }: ModuleContext, provider: string, e: unknown, what: string): never {
  log.error({ provider, reason: e instanceof Error ? e.name : typeof e }, `SMS module ${what}`)
  const late = e instanceof ModuleTimeout ? ' in time' : ''
  throw new Failure('internal', `The module of SMS provider ${provider} ${what}${late}`)
}

/** Names packages, but not file paths, to outside callers. */
const named = (module: string) => (/^[./\\]/.test(module) ? '' : `: ${module}`)

const abilities = (ctx: ModuleContext, provider: string, module: string) =>
  ctx.modules
    .abilities(module)
    .catch((e) => failed(ctx, provider, e, `cannot be loaded${named(module)}`))

async function convertMessage(ctx: ModuleContext, provider: string, module: string, body: unknown) {
  const invalidMessage = () =>
    new Failure('invalid', `This is not a message of SMS provider ${provider}`)
  const result = await ctx.modules.convert(module, randomUUID(), body).catch((e) => {
    if (e instanceof ModuleTimeout) return failed(ctx, provider, e, 'did not convert the message')
    throw invalidMessage()
  })
  const message = Converted.safeParse(result)
  if (!message.success) throw invalidMessage()
  return message.data
}
