import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto'
import type { AwsCredentialIdentity, Checksum, SourceData } from '@smithy/types'
import { t, vendors } from '@switchroom/contract'
import type { Answer, Outbound } from '../../outbound/outbound.ts'
import { hostPart, secretsOf } from '../ask.ts'
import { Refused } from '../protocol.ts'
import { nonsense, OVER_QUOTA, type RequestOptions, unreachable, type Words } from '../refusal.ts'

export type Config = Partial<
  Record<'access_key_id' | 'secret_access_key' | 'role_arn' | 'aws_region', string | boolean>
>
type Limit = RequestOptions['limit']

/** SHA-256 in the form the SDK's signer expects. */
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

/** Our messages by the name of an AWS error. */
const SAYS: [RegExp, Words][] = [
  [
    /UnrecognizedClient|InvalidSignature|SignatureDoesNotMatch|InvalidClientTokenId|IncompleteSignature|MissingAuthenticationToken/,
    (reason) =>
      reason
        ? t('invalid access key or secret: {reason}', { reason })
        : t('invalid access key or secret'),
  ],
  [
    /ExpiredToken/,
    (reason) =>
      reason
        ? t('the access key has expired: {reason}', { reason })
        : t('the access key has expired'),
  ],
  [
    /AccessDenied/,
    (reason) =>
      reason
        ? t('the access key is not allowed to do this: {reason}', { reason })
        : t('the access key is not allowed to do this'),
  ],
  [/Throttl|LimitExceeded|TooManyRequests/, OVER_QUOTA],
]
export const explainError = (text: string) => SAYS.find(([name]) => name.test(text))?.[1]

/** Prepares signed requests to an AWS service, with the credential's region and identity. Throws `Refused`. */
export async function aws(config: Config, service: string, out: Outbound, limit: Limit) {
  const region = hostPart(config.aws_region, t('the region'))
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
    // the error's name is in the body or in a header, depending on the service
    says: ({ text, headers }) => explainError(`${headers?.['x-amzn-errortype']} ${text}`),
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
    /** The headers of a signed request. */
    async sign(method: 'GET' | 'POST', url: URL, headers: Record<string, string>, body?: string) {
      const signed = await signer.sign(request(method, url, headers, body))
      const { host: _, ...rest } = signed.headers
      return rest
    },
    /** A presigned URL, for WebSockets. */
    async presign(url: URL) {
      const { query = {} } = await signer.presign(request('GET', url, {}), { expiresIn: 300 })
      const signed = new URL(url)
      signed.search = String(new URLSearchParams(texts(query)))
      return signed.href
    },
  }
}

/** The credential's access key; else a role that this server assumes, or the server's own identity. */
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
      throw new Refused(t('this server has no AWS identity'), { cause: e })
    // the service's own message would reveal the server's identity
    if ('$metadata' in e && '$fault' in e)
      throw new Refused(t('this server is not allowed to assume the role'), { cause: e })
    if (e instanceof SyntaxError) throw nonsense()
    throw unreachable(e, limit)
  })
}

const texts = (members: object) =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, String(value)]))

type Handled = { method: string; hostname: string; path: string; headers: object; body?: unknown }

/** Routes the SDK's requests through `out`. */
const handler = (out: Outbound, limit: Limit) => ({
  async handle({ method, hostname, path, headers, body }: Handled) {
    const {
      status,
      headers: answered,
      bytes,
    }: Answer = await out.fetch(`https://${hostname}${path}`, {
      method: method === 'GET' ? 'GET' : 'POST',
      headers: texts(headers),
      body: typeof body === 'string' ? body : Buffer.from(body instanceof Uint8Array ? body : []),
      ...limit,
    })
    const { HttpResponse } = await import('@smithy/core/protocols')
    return {
      response: new HttpResponse({
        statusCode: status,
        headers: texts(answered),
        body: bytes,
      }),
    }
  },
})
