import { isIP } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Client } from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import { t } from '@switchroom/contract'
import type { z } from 'zod'
import { errorNumber, errorText } from '../errors/members.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { Refused } from './protocol.ts'
import {
  answered,
  INVALID_KEY,
  NOT_ALLOWED,
  nonsense,
  OVER_QUOTA,
  type RequestOptions,
  scrub,
  unreachable,
  type Words,
} from './refusal.ts'

/** A vendor's `host:port`. Unencrypted unless `tls`; `ca` replaces the default certificate authorities. */
export type GrpcEndpoint = {
  address: string
  /** The default port. */
  port: number
  tls?: boolean
  ca?: Buffer
}

/** A file in protos/, without extension, and a method in it. */
export type Method = { proto: string; service: string; method: string }

/**
 * Calls a method and parses its response by `shape`. Connects only to the address that
 * the guard approved, under the given host name. Throws `Refused` as `askJson` does.
 */
export async function callGrpc<S extends z.ZodType>(
  out: Outbound,
  place: GrpcEndpoint,
  { proto, service, method }: Method,
  request: object,
  requestOptions: RequestOptions & { shape: S; token?: string },
): Promise<z.output<S>> {
  const { loadSync } = await import('@grpc/proto-loader')
  const file = fileURLToPath(new URL(`./protos/${proto}.proto`, import.meta.url))
  const services = loadSync(file, { keepCase: true, defaults: true, longs: Number, enums: String })
  // `service` is one of the protocol's services, and not one of its messages
  const { path, requestSerialize, responseDeserialize } = (
    services[service] as Record<string, MethodDefinition<object, object>>
  )[method]!
  const answer = await connected(out, place, requestOptions, async (client, deadline) => {
    const { Metadata } = await import('@grpc/grpc-js')
    const metadata = new Metadata()
    if (requestOptions.token) metadata.set('authorization', `Bearer ${requestOptions.token}`)
    return new Promise<object | undefined>((resolve, reject) => {
      client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        metadata,
        { deadline },
        (error, value) => (error ? reject(error) : resolve(value)),
      )
    })
  })
  const { success, data } = requestOptions.shape.safeParse(answer)
  if (!success) throw nonsense()
  return data
}

/** Checks that a gRPC server answers there. Throws `Refused`. */
export const connectsGrpc = (
  out: Outbound,
  place: GrpcEndpoint,
  requestOptions: RequestOptions,
): Promise<void> =>
  connected(
    out,
    place,
    requestOptions,
    (client, deadline) =>
      new Promise((resolve, reject) => {
        client.waitForReady(deadline, (error) =>
          error ? reject(new Refused(t('the vendor cannot be reached'))) : resolve(),
        )
      }),
  )

/** True if the error means that a working server lacks this service. */
export const isNotOffered = (e: unknown): boolean =>
  e instanceof Refused && errorNumber(e.cause, 'code') === UNIMPLEMENTED
const UNIMPLEMENTED = 12

async function connected<T>(
  out: Outbound,
  { address, port, tls, ca }: GrpcEndpoint,
  requestOptions: RequestOptions,
  use: (client: Client, deadline: number) => Promise<T>,
): Promise<T> {
  const { limit } = requestOptions
  const deadline = Date.now() + limit.timeout_ms
  const url = URL.parse(`grpc://${address.trim().replace(/^\w+:\/\//, '')}`)
  if (!url?.hostname) throw new Refused(t('the address is invalid'))
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const judged = await resolveHost(out, host, limit)
  const { Client, credentials } = await import('@grpc/grpc-js')
  const [family, at] = isIP(judged) === 6 ? ['ipv6', `[${judged}]`] : ['ipv4', judged]
  const client = new Client(
    `${family}:${at}:${url.port || port}`,
    tls ? credentials.createSsl(ca ?? null) : credentials.createInsecure(),
    {
      'grpc.default_authority': `${url.hostname}:${url.port || port}`,
      ...(tls && { 'grpc.ssl_target_name_override': host }),
      // only to the approved address, once, and on a connection of its own
      'grpc.enable_http_proxy': 0,
      'grpc.enable_retries': 0,
      'grpc.service_config_disable_resolution': 1,
      'grpc.use_local_subchannel_pool': 1,
      'grpc.max_receive_message_length': limit.max_bytes,
    },
  )
  try {
    return await use(client, deadline)
  } catch (e) {
    throw await refusalOf(e, requestOptions)
  } finally {
    client.close()
  }
}

/** The IP address to connect to, once the guard has approved it. */
async function resolveHost(
  out: Outbound,
  host: string,
  limit: RequestOptions['limit'],
): Promise<string> {
  let late: NodeJS.Timeout | undefined
  try {
    out.guard.check(host)
    if (isIP(host)) return host
    return await new Promise<string>((resolve, reject) => {
      late = setTimeout(() => reject(new DOMException('', 'TimeoutError')), limit.timeout_ms)
      out.guard.lookup(host, { all: false }, (error, found) =>
        error || typeof found !== 'string' ? reject(error) : resolve(found),
      )
    })
  } catch (e) {
    throw unreachable(e, limit)
  } finally {
    clearTimeout(late)
  }
}

const SAYS: Record<string, Words> = {
  PERMISSION_DENIED: NOT_ALLOWED,
  UNAUTHENTICATED: INVALID_KEY,
  RESOURCE_EXHAUSTED: OVER_QUOTA,
  UNIMPLEMENTED: (reason) =>
    reason
      ? t('this server does not offer the service: {reason}', { reason })
      : t('this server does not offer the service'),
}

async function refusalOf(e: unknown, { limit, secrets }: RequestOptions): Promise<Refused> {
  const code = errorNumber(e, 'code')
  const details = errorText(e, 'details') ?? ''
  if (e instanceof Refused || code === undefined) return unreachable(e, limit)
  const { status } = await import('@grpc/grpc-js')
  const name = status[code] ?? String(code)
  const cause = { cause: e }
  if (name === 'UNAVAILABLE') return new Refused(t('the vendor cannot be reached'), cause)
  if (name === 'DEADLINE_EXCEEDED') return unreachable(new DOMException('', 'TimeoutError'), limit)
  if (name === 'RESOURCE_EXHAUSTED' && /message larger than max/.test(details))
    return new Refused(t('the vendor’s response is too large'), cause)
  if (name === 'INTERNAL' && /parsing error/.test(details)) return nonsense()
  const words = SAYS[name] ?? answered(name)
  return new Refused(words(scrub(details, secrets)), cause)
}
