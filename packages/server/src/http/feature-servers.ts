import { membersOf, type Relayed, t } from '@switchroom/contract'
import { NoAnswer, post } from '../live/feature-server.ts'
import type { Context } from './context.ts'
import { Failure } from './failure.ts'

type Reaching = Pick<Context, 'config' | 'state' | 'memory'>

/** The URL that creates the next call. Throws 480 when no feature server is available. */
export const newCallUrl = (ctx: Reaching) => nextUrl(ctx, 'createCall')

/**
 * Sends a request to the next feature server. Throws 480 when none is available, 502 when it does not
 * answer.
 */
export const askFeatureServer = async (ctx: Reaching, path: string, body: object) =>
  ask(await nextUrl(ctx, path), body)

/** One of them after the other takes a call. */
function nextOf(memory: Reaching['memory'], servers: string[]) {
  const server = servers[memory.turn % servers.length]
  memory.turn += 1
  return server
}

async function nextUrl({ config, state, memory }: Reaching, path: string) {
  const { service, version } = config.feature_servers
  const server = service ?? nextOf(memory, await state.featureServers())
  if (!server)
    throw new Failure('no_feature_server', t('no available feature servers at this time'))
  return `${server.replace(/\/+$/, '')}/${version}/${path}`
}

/** Posts to a feature server and relays its answer. Throws 502 when it does not answer. */
export const ask = (url: string, body: object): Promise<Relayed> =>
  post(url, body).catch((cause) => {
    if (cause instanceof NoAnswer) throw new Failure('vendor_failed', cause.message, { cause })
    throw cause
  })

/** Extracts the reason from a feature server's error, whatever its format. */
export function reasonOf({ status, body }: Relayed): string {
  if (typeof body === 'string') return body.slice(0, 500)
  const { msg, message, error } = membersOf(body)
  const text = [msg, message, error].find(
    (said): said is string => typeof said === 'string' && said !== '',
  )
  return text?.slice(0, 500) ?? t('The feature server answered {status}', { status })
}
