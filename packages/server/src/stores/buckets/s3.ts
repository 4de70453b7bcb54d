import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import { type Bucket, usesServerIdentity } from '@switchroom/contract'
import { errorMember, errorNumber, errorText } from '../../errors/members.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import {
  ignoreNotFound,
  limitSize,
  PART,
  type Problem,
  partsOf,
  problemOf,
  readableOf,
  type Source,
  type Store,
  StoreRefused,
  textOf,
} from './store.ts'

type S3Bucket = Extract<Bucket, { vendor: 'aws_s3' | 's3_compatible' }>

/** Amazon S3 and compatible stores. */
export async function s3Store({ agents }: Outbound, bucket: S3Bucket): Promise<Store> {
  // loaded on first use
  const sdk = await import('@aws-sdk/client-s3')
  const { S3Client, PutObjectCommand, GetObjectCommand, DeleteObjectCommand } = sdk
  const { NodeHttpHandler } = await import('@smithy/node-http-handler')
  const requestHandler = new NodeHttpHandler({
    httpAgent: agents.http,
    httpsAgent: agents.https,
    connectionTimeout: 5_000,
  })
  const handle = requestHandler.handle.bind(requestHandler)
  requestHandler.handle = async (request, options) => {
    const { response } = await handle(request, options)
    const isObject = request.method === 'GET' && response.statusCode < 300
    if (!isObject && response.body) response.body = limitSize(readableOf(response.body))
    return { response }
  }
  const region = bucket.region ?? 'us-east-1'
  const client = new S3Client({
    region,
    requestHandler,
    maxAttempts: 1,
    followRegionRedirects: false,
    // not every compatible store supports the newer checksums
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(bucket.vendor === 's3_compatible' && { endpoint: bucket.endpoint, forcePathStyle: true }),
    credentials: await credentialsOf(bucket, { region, requestHandler, maxAttempts: 1 }),
  })
  const objectOf = (Key: string) => ({ Bucket: bucket.name, Key })
  return {
    write: (key, text, abortSignal) =>
      client
        .send(new PutObjectCommand({ ...objectOf(key), Body: text }), { abortSignal })
        .catch(refuse),
    async read(key, abortSignal) {
      const { Body } = await client
        .send(new GetObjectCommand(objectOf(key)), { abortSignal })
        .catch(refuse)
      return textOf(readableOf(Body))
    },
    remove: (key, abortSignal) =>
      client.send(new DeleteObjectCommand(objectOf(key)), { abortSignal }).catch(refuse),
    async size(key, abortSignal) {
      const { ContentLength } =
        (await client
          .send(new sdk.HeadObjectCommand(objectOf(key)), { abortSignal })
          .catch(refuse)
          .catch(ignoreNotFound)) ?? {}
      return ContentLength
    },
    async open(key, { from, to }, abortSignal) {
      const { Body } = await client
        .send(new GetObjectCommand({ ...objectOf(key), Range: `bytes=${from}-${to}` }), {
          abortSignal,
        })
        .catch(refuse)
      return readableOf(Body)
    },
    put: (key, source, abortSignal) =>
      upload(client, sdk, objectOf(key), source, abortSignal).catch(refuse),
  }
}

type Sdk = typeof import('@aws-sdk/client-s3')

/** Uploads in one piece if small, otherwise as a multipart upload. */
async function upload(
  client: S3Client,
  sdk: Sdk,
  object: { Bucket: string; Key: string },
  source: Source,
  abortSignal: AbortSignal,
) {
  const named = { ...object, ContentType: source.type, Metadata: source.metadata }
  const send = { abortSignal }
  if (source.size <= PART) {
    for await (const { bytes } of partsOf(source))
      await client.send(new sdk.PutObjectCommand({ ...named, Body: bytes }), send)
    return
  }
  const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(named), send)
  const Parts: { ETag: string | undefined; PartNumber: number }[] = []
  try {
    for await (const { bytes } of partsOf(source)) {
      const PartNumber = Parts.length + 1
      const part = new sdk.UploadPartCommand({ ...object, UploadId, PartNumber, Body: bytes })
      const { ETag } = await client.send(part, send)
      Parts.push({ ETag, PartNumber })
    }
    const MultipartUpload = { Parts }
    await client.send(
      new sdk.CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload }),
      send,
    )
  } catch (e) {
    // leftover parts cost money; the first failure is reported
    await client
      .send(new sdk.AbortMultipartUploadCommand({ ...object, UploadId }))
      .catch(() => undefined)
    throw e
  }
}

type Credentials = NonNullable<S3ClientConfig['credentials']>

/** The access key, else the server's own AWS identity or a role that it assumes. */
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
  const metadata = errorMember(error, '$metadata')
  const status = errorNumber(metadata, 'httpStatusCode')
  const problem = PROBLEMS[errorText(error, 'name') ?? ''] ?? (status && problemOf(status))
  if (problem || status) throw new StoreRefused(problem || undefined, status)
  throw error
}
