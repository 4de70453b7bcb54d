import type { Readable } from 'node:stream'
import type { S3ClientConfig } from '@aws-sdk/client-s3'
import { type Bucket, usesServerIdentity } from '@switchroom/contract'
import type { Outbound } from '../../outbound/outbound.ts'
import { type Problem, problemOf, type Store, StoreRefused, textOf } from './store.ts'

type S3Bucket = Extract<Bucket, { vendor: 'aws_s3' | 's3_compatible' }>

/** Amazon's, and others that speak its protocol. */
export async function s3Store({ agents }: Outbound, bucket: S3Bucket): Promise<Store> {
  // loaded when somebody tests a bucket, which is seldom
  const { S3Client, PutObjectCommand, GetObjectCommand, DeleteObjectCommand } = await import(
    '@aws-sdk/client-s3'
  )
  const { NodeHttpHandler } = await import('@smithy/node-http-handler')
  const requestHandler = new NodeHttpHandler({
    httpAgent: agents.http,
    httpsAgent: agents.https,
    connectionTimeout: 5_000,
  })
  const region = bucket.region ?? 'us-east-1'
  const client = new S3Client({
    region,
    requestHandler,
    maxAttempts: 1,
    followRegionRedirects: false,
    // not every store that is compatible knows the newer checksums
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(bucket.vendor === 's3_compatible' && { endpoint: bucket.endpoint, forcePathStyle: true }),
    credentials: await credentialsOf(bucket, { region, requestHandler, maxAttempts: 1 }),
  })
  const at = (Key: string) => ({ Bucket: bucket.name, Key })
  return {
    write: (key, text, abortSignal) =>
      client.send(new PutObjectCommand({ ...at(key), Body: text }), { abortSignal }).catch(refuse),
    async read(key, abortSignal) {
      const { Body } = await client
        .send(new GetObjectCommand(at(key)), { abortSignal })
        .catch(refuse)
      return textOf(Body as Readable)
    },
    remove: (key, abortSignal) =>
      client.send(new DeleteObjectCommand(at(key)), { abortSignal }).catch(refuse),
  }
}

type Credentials = NonNullable<S3ClientConfig['credentials']>

/** The key that was given; else what this server is at AWS, or the role that it assumes as that. */
async function credentialsOf(bucket: S3Bucket, clientConfig: object): Promise<Credentials> {
  const { access_key_id, secret_access_key } = bucket
  if (bucket.vendor === 's3_compatible' || !usesServerIdentity(bucket))
    return { accessKeyId: access_key_id!, secretAccessKey: secret_access_key! }
  const { fromNodeProviderChain, fromTemporaryCredentials } = await import(
    '@aws-sdk/credential-providers'
  )
  const own = fromNodeProviderChain({ timeout: 2_000, maxRetries: 0 })
  if (!bucket.role_arn) return own
  const role = fromTemporaryCredentials({
    masterCredentials: own,
    clientConfig,
    params: {
      RoleArn: bucket.role_arn,
      RoleSessionName: 'switchroom',
      ...(bucket.external_id && { ExternalId: bucket.external_id }),
    },
  })
  return () =>
    role().catch((e: Error) => {
      throw PROBLEMS[e.name] === 'no-identity' ? e : new StoreRefused('no-role')
    })
}

const PROBLEMS: Record<string, Problem> = {
  NoSuchBucket: 'no-bucket',
  InvalidAccessKeyId: 'bad-credential',
  SignatureDoesNotMatch: 'bad-credential',
  InvalidClientTokenId: 'bad-credential',
  ExpiredToken: 'bad-credential',
  AccessDenied: 'forbidden',
  PermanentRedirect: 'redirect',
  AuthorizationHeaderMalformed: 'redirect',
  CredentialsProviderError: 'no-identity',
}

function refuse(error: unknown): never {
  const { name, $metadata } = error as { name: string; $metadata?: { httpStatusCode?: number } }
  const status = $metadata?.httpStatusCode
  const problem = PROBLEMS[name] ?? (status && problemOf(status))
  if (problem || status) throw new StoreRefused(problem || undefined, status)
  throw error
}
