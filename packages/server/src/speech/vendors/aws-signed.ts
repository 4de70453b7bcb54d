import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto'
import type { AwsCredentialIdentity, Checksum, SourceData } from '@smithy/types'
import { vendors } from '@switchroom/contract'
import type { Answer, Outbound } from '../../outbound/outbound.ts'
import { hostPart, nonsense, type RequestOptions, secretsOf, unreachable } from '../ask.ts'
import { Refused } from '../protocol.ts'

export type Config = Partial<
  Record<'access_key_id' | 'secret_access_key' | 'role_arn' | 'aws_region', string | boolean>
>
type Limit = RequestOptions['limit']

/** SHA-256 as the signer wants it. */
class Sha256 implements Checksum {
  #hash: Hash | Hmac
  readonly #secret: SourceData | undefined
  constructor(secret?: SourceData) {
    this.#secret = secret
    this.#hash = this.#begin()
  }
  #begin() {
    return this.#secret === undefined
      ? createHash('sha256')
      : createHmac('sha256', bytesOf(this.#secret))
  }
  update(data: Uint8Array) {
    this.#hash.update(data)
  }
  async digest() {
    return new Uint8Array(this.#hash.digest())
  }
  reset() {
    this.#hash = this.#begin()
  }
}

const bytesOf = (data: SourceData) =>
  typeof data === 'string'
    ? Buffer.from(data)
    : ArrayBuffer.isView(data)
      ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
      : Buffer.from(data)

/** What the answer of a service says is wrong, by the name of its error. */
const SAYS: [RegExp, string][] = [
  [
    /UnrecognizedClient|InvalidSignature|SignatureDoesNotMatch|InvalidClientTokenId|IncompleteSignature|MissingAuthenticationToken/,
    'invalid access key or secret',
  ],
  [/ExpiredToken/, 'the access key has expired'],
  [/AccessDenied/, 'the access key is not allowed to do this'],
  [/Throttl|LimitExceeded|TooManyRequests/, 'quota or concurrency limit exceeded'],
]
export const plainly = (text: string) => SAYS.find(([name]) => name.test(text))?.[1]

/** A service of AWS in the credential's region, as whoever the credential says. Throws `Refused`. */
export async function aws(config: Config, service: string, out: Outbound, limit: Limit) {
  const region = hostPart(config.aws_region, 'the region')
  const { SignatureV4 } = await import('@smithy/signature-v4')
  const credentials = await identity(config, region, out, limit)
  const signer = new SignatureV4({ service, region, credentials, sha256: Sha256 })
  const requestOptions: RequestOptions = {
    secrets: [
      ...secretsOf(vendors.aws, config),
      credentials.secretAccessKey,
      credentials.sessionToken,
    ],
    limit,
    // some services name the error in the answer, some in a header
    says: ({ text, headers }) => plainly(`${headers?.['x-amzn-errortype']} ${text}`),
  }
  const request = (method: string, url: URL, headers: Record<string, string>, body?: string) => ({
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    ...(url.port && { port: Number(url.port) }),
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: { host: url.host, ...headers },
    ...(body !== undefined && { body }),
  })
  return {
    region,
    requestOptions,
    /** The headers with which a request is asked. */
    async sign(method: 'GET' | 'POST', url: URL, headers: Record<string, string>, body?: string) {
      const signed = await signer.sign(request(method, url, headers, body))
      const { host: _, ...rest } = signed.headers
      return rest
    },
    /** The same address with a signature in it, for a socket. */
    async presign(url: URL) {
      const { query = {} } = await signer.presign(request('GET', url, {}), { expiresIn: 300 })
      const signed = new URL(url)
      signed.search = String(new URLSearchParams(query as Record<string, string>))
      return signed.href
    },
  }
}

/** The key that was given; else the role that this server assumes, or what it is itself. */
async function identity(
  config: Config,
  region: string,
  out: Outbound,
  limit: Limit,
): Promise<AwsCredentialIdentity> {
  const { access_key_id, secret_access_key, role_arn } = config
  if (access_key_id)
    return { accessKeyId: String(access_key_id), secretAccessKey: String(secret_access_key) }
  const { fromNodeProviderChain, fromTemporaryCredentials } = await import(
    '@aws-sdk/credential-providers'
  )
  const own = fromNodeProviderChain({ timeout: 2_000, maxRetries: 0 })
  const provider = role_arn
    ? fromTemporaryCredentials({
        masterCredentials: own,
        clientConfig: { region, maxAttempts: 1, requestHandler: handler(out, limit) },
        params: { RoleArn: String(role_arn), RoleSessionName: 'switchroom' },
      })
    : own
  return provider().catch((e: Error) => {
    if (e.name === 'CredentialsProviderError')
      throw new Refused('this server has no AWS identity', { cause: e })
    // anything that the service itself answered names the server's own identity
    if ('$metadata' in e && '$fault' in e)
      throw new Refused('this server is not allowed to assume the role', { cause: e })
    if (e instanceof SyntaxError) throw nonsense()
    throw unreachable(e, limit)
  })
}

type Handled = { method: string; hostname: string; path: string; headers: object; body?: unknown }

/** Lets the SDK ask through the way out. */
const handler = (out: Outbound, limit: Limit) => ({
  async handle({ method, hostname, path, headers, body }: Handled) {
    const {
      status,
      headers: answered,
      bytes,
    }: Answer = await out.fetch(`https://${hostname}${path}`, {
      method: method as 'POST',
      headers: { ...headers } as Record<string, string>,
      body: typeof body === 'string' ? body : Buffer.from((body ?? []) as Uint8Array),
      ...limit,
    })
    const { HttpResponse } = await import('@smithy/core/protocols')
    return {
      response: new HttpResponse({
        statusCode: status,
        headers: answered as Record<string, string>,
        body: bytes,
      }),
    }
  },
})
