import type { Relayed } from '@switchroom/contract'
import type { Context } from '../context.ts'
import { NoAnswer, next, post } from '../live/feature-server.ts'
import { Failure } from './failure.ts'

type Reaching = Pick<Context, 'config' | 'state'>

/** Where the next call is made. Throws 480 when nobody takes calls. */
export const newCallUrl = (ctx: Reaching) => nextUrl(ctx, 'createCall')

/** Asks the next feature server. Throws 480 when there is none, 502 when it does not answer. */
export const askFeatureServer = async (ctx: Reaching, path: string, body: object) =>
  ask(await nextUrl(ctx, path), body)

async function nextUrl({ config, state }: Reaching, path: string) {
  const { service, version } = config.feature_servers
  const server = service ?? next(await state.featureServers())
  if (!server) throw new Failure('no_feature_server', 'no available feature servers at this time')
  return `${server.replace(/\/+$/, '')}/${version}/${path}`
}

/** What the feature server answers. Throws 502 when it does not. */
export const ask = (url: string, body: object): Promise<Relayed> =>
  post(url, body).catch((cause) => {
    if (cause instanceof NoAnswer) throw new Failure('vendor_failed', cause.message, { cause })
    throw cause
  })

/** The words of a refusal, however it is written. */
export function reasonOf({ status, body }: Relayed): string {
  const said = body as { msg?: unknown; message?: unknown; error?: unknown } | string | undefined
  if (typeof said === 'string') return said.slice(0, 500)
  const text = [said?.msg, said?.message, said?.error].find((t) => typeof t === 'string' && t)
  return (text as string | undefined)?.slice(0, 500) ?? `The feature server answered ${status}`
}
