import { Readable } from 'node:stream'
import type { WebResource } from '@azure/storage-blob'
import type { Bucket } from '@switchroom/contract'
import { errorMember } from '../../errors/members.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import {
  ignoreNotFound,
  PART,
  type Problem,
  problemOf,
  readableOf,
  type Store,
  StoreRefused,
  textOf,
} from './store.ts'

type AzureContainer = Extract<Bucket, { vendor: 'azure' }>

export async function azureStore(outbound: Outbound, bucket: AzureContainer): Promise<Store> {
  // loaded on first use
  const { BlobServiceClient, isRestError, newPipeline } = await import('@azure/storage-blob')
  const options = { retryOptions: { maxTries: 1 }, redirectOptions: { maxRetries: 0 } }
  const parsed = () => {
    try {
      return BlobServiceClient.fromConnectionString(bucket.connection_string)
    } catch {
      throw new StoreRefused('not-a-connection-string')
    }
  }
  // a connection string may contain any endpoint and a proxy: only its address and key are used
  const { url, credential } = parsed()
  const pipeline = newPipeline(credential, options)
  pipeline.factories.push({
    create: (next) => ({
      sendRequest: async (request: WebResource) => {
        request.agent = outbound.agents[request.url.startsWith('https:') ? 'https' : 'http']
        // always as streams: otherwise an error body would be read completely, however long
        request.streamResponseStatusCodes = new Set([Number.POSITIVE_INFINITY])
        try {
          const response = await next.sendRequest(request)
          if (request.method !== 'GET') discardBody(response)
          return response
        } catch (e) {
          discardBody(errorMember(e, 'response'))
          throw e
        }
      },
    }),
  })
  const refuse = (error: unknown): never => {
    if (!isRestError(error) || !error.statusCode) throw error
    const { statusCode: status, response } = error
    const code = response?.headers.get('x-ms-error-code') ?? ''
    throw new StoreRefused(PROBLEMS[code] ?? problemOf(status), status)
  }
  const container = new BlobServiceClient(url, pipeline).getContainerClient(bucket.name)
  return {
    write: (key, text, abortSignal) =>
      container
        .getBlockBlobClient(key)
        .upload(text, Buffer.byteLength(text), { abortSignal })
        .catch(refuse),
    async read(key, abortSignal) {
      const blob = container.getBlockBlobClient(key)
      const { readableStreamBody } = await blob
        .download(0, undefined, { abortSignal, maxRetryRequests: 0 })
        .catch(refuse)
      return textOf(readableOf(readableStreamBody))
    },
    remove: (key, abortSignal) =>
      container.getBlockBlobClient(key).delete({ abortSignal }).catch(refuse),
    async size(key, abortSignal) {
      const properties = await container
        .getBlockBlobClient(key)
        .getProperties({ abortSignal })
        .catch(refuse)
        .catch(ignoreNotFound)
      return properties?.contentLength
    },
    async open(key, { from, to }, abortSignal) {
      const { readableStreamBody } = await container
        .getBlockBlobClient(key)
        .download(from, to - from + 1, { abortSignal, maxRetryRequests: 0 })
        .catch(refuse)
      return readableOf(readableStreamBody)
    },
    // committing the block list creates the blob
    put: (key, { size, type, metadata, read }, abortSignal) =>
      container
        .getBlockBlobClient(key)
        .uploadStream(Readable.from(read(0, size)), PART, 1, {
          abortSignal,
          metadata,
          blobHTTPHeaders: { blobContentType: type },
        })
        .catch(refuse),
  }
}

const PROBLEMS: Record<string, Problem> = {
  ContainerNotFound: 'no-bucket',
  AuthenticationFailed: 'bad-credential',
  InvalidAuthenticationInfo: 'bad-credential',
  AuthorizationFailure: 'bad-credential',
}

/** Closes a response whose body nobody reads. */
function discardBody(response: unknown) {
  const body = errorMember(response, 'readableStreamBody')
  if (body instanceof Readable) body.destroy()
}
