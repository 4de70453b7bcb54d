import { membersOf, type Relayed, t } from '@switchroom/contract'
import { NoAnswer, post } from '../live/feature-server.ts'
import type { Context } from './context.ts'
import { Failure } from './failure.ts'

type FeatureServerContext = Pick<Context, 'config' | 'state' | 'memory'>

/** The URL that creates the next call. Throws 480 when no feature server is available. */
export const newCallUrl = (ctx: FeatureServerContext) => nextUrl(ctx, 'createCall')

/**
 * Posts to the next feature server and relays its answer. Throws 480 when none is available, 502
 * when it does not answer.
 */
export const postToNextServer = async (ctx: FeatureServerContext, path: string, body: object) =>
  relay(await nextUrl(ctx, path), body)

/** Picks feature servers in turn (round robin). */
function nextOf(memory: FeatureServerContext['memory'], servers: string[]) {
  const server = servers[memory.turn % servers.length]
  memory.turn += 1
  return server
}

async function nextUrl({ config, state, memory }: FeatureServerContext, path: string) {
  const { service, version } = config.feature_servers
  const server = service ?? nextOf(memory, await state.featureServers())
  if (!server)
    throw new Failure('no_feature_server', t('no available feature servers at this time'))
  return `${server.replace(/\/+$/, '')}/${version}/${path}`
}

/** Posts to a feature server and relays its answer. Throws 502 when it does not answer. */
export const relay = (url: string, body: object): Promise<Relayed> =>
  post(url, body).catch((cause) => {
    if (cause instanceof NoAnswer) throw new Failure('vendor_failed', cause.message, { cause })
    throw cause
  })

/** Extracts the reason from a feature server's error, whatever its format. */
export function reasonOf({ status, body }: Relayed): string {
  if (typeof body === 'string') return body.slice(0, 500)
  const { msg, message, error } = membersOf(body)
  const text = [msg, message, error].find(
    (value): value is string => typeof value === 'string' && value !== '',
  )
  return text?.slice(0, 500) ?? t('The feature server answered {status}', { status })
}
