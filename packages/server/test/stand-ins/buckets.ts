import { spawn } from 'node:child_process'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, globalAgent, type IncomingMessage, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import {
  BlobServiceClient,
  newPipeline,
  StorageSharedKeyCredential,
  type WebResource,
} from '@azure/storage-blob'
import { jwtVerify } from 'jose'

const require = createRequire(import.meta.url)

type Answered = [status: number, body: string | Buffer, headers?: Record<string, string>]

export type Azurite = Awaited<ReturnType<typeof startAzurite>>

/** Azure's own emulator, with a container. */
export async function startAzurite(container: string) {
  const program = join(require.resolve('azurite/package.json'), '../dist/src/blob/main.js')
  const child = spawn(
    process.execPath,
    [
      program,
      '--blobPort=0',
      '--inMemoryPersistence',
      '--skipApiVersionCheck',
      '--disableTelemetry',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk
      const listening = /successfully listens? on (http:\S+)/.exec(output)
      if (listening) resolve(listening[1]!)
    })
    child.once('exit', () => reject(new Error(`azurite ended: ${output}`)))
  })
  // the emulator's well-known account
  const key =
    'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='
  const name = 'devstoreaccount1'
  const connection = `DefaultEndpointsProtocol=http;AccountName=${name};AccountKey=${key};BlobEndpoint=${url}/${name};`
  const pipeline = newPipeline(new StorageSharedKeyCredential(name, key))
  // with an agent of its own, no proxy of the environment is used
  pipeline.factories.push({
    create: (next) => ({
      sendRequest: (request: WebResource) =>
        next.sendRequest(Object.assign(request, { agent: globalAgent })),
    }),
  })
  const service = new BlobServiceClient(`${url}/${name}`, pipeline)
  const client = service.getContainerClient(container)
  await client.create()
  return {
    url,
    connection,
    async blobs() {
      const names: string[] = []
      for await (const blob of client.listBlobsFlat()) names.push(blob.name)
      return names
    },
    stop: async () => void child.kill(),
  }
}

const bytesOf = async (request: IncomingMessage) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
const textOf = async (request: IncomingMessage) => (await bytesOf(request)).toString()

/** Made once: it takes longer than most tests. */
let signing: { publicKey: KeyObject; privateKey: KeyObject } | undefined

/**
 * The parts of Google's JSON API that recordings need: a token for a signed assertion,
 * upload, media and delete. The bucket `read-only` rejects writes.
 */
export async function startGoogle(bucket: string) {
  signing ??= generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const { publicKey, privateKey } = signing
  const email = 'recorder@example.iam.gserviceaccount.com'
  const token = 'ya29.test'
  const objects = new Map<string, Buffer>()
  const sessions = new Map<string, { key: string; parts: Buffer[] }>()

  async function grant(request: IncomingMessage): Promise<[number, string]> {
    const assertion = new URLSearchParams(await textOf(request)).get('assertion') ?? ''
    const good = await jwtVerify(assertion, publicKey, {
      issuer: email,
      audience: 'https://oauth2.googleapis.com/token',
    }).catch(() => undefined)
    return good
      ? [200, JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: 3_599 })]
      : [400, JSON.stringify({ error: 'invalid_grant' })]
  }
  /** A part of an upload; the last one creates the object. */
  async function resume(request: IncomingMessage, id: string): Promise<Answered> {
    const session = sessions.get(id)
    if (!session) return [404, '']
    const [, from, to, size] = /^bytes (\d+)-(\d+)\/(\d+)$/
      .exec(request.headers['content-range'] ?? '')!
      .map(Number)
    const part = await bytesOf(request)
    const received = session.parts.reduce((sum, { length }) => sum + length, 0)
    if (from !== received || to! - from + 1 !== part.length) return [400, '']
    session.parts.push(part)
    if (to! + 1 < size!) return [308, '']
    objects.set(session.key, Buffer.concat(session.parts))
    return [200, '{}']
  }
  async function answer(request: IncomingMessage): Promise<Answered> {
    const url = new URL(request.url!, 'http://google')
    if (url.pathname === '/token') return grant(request)
    if (request.headers.authorization !== `Bearer ${token}`) return [401, '']
    const [, name, named] = /\/storage\/v1\/b\/([^/]+)\/o(?:\/([^/]+))?$/.exec(url.pathname) ?? []
    const key = named === undefined ? url.searchParams.get('name') : decodeURIComponent(named)
    if (name === 'read-only') return [403, '']
    if (name !== bucket || !key) return [404, '']
    if (url.searchParams.get('uploadType') === 'resumable') {
      const id = url.searchParams.get('upload_id')
      if (id) return resume(request, id)
      const session = String(sessions.size)
      sessions.set(session, { key, parts: [] })
      url.searchParams.set('upload_id', session)
      return [200, '', { location: `${url.pathname}${url.search}` }]
    }
    if (request.method === 'POST') {
      objects.set(key, await bytesOf(request))
      return [200, JSON.stringify({ name: key })]
    }
    const bytes = objects.get(key)
    if (bytes === undefined) return [404, '']
    if (url.searchParams.get('fields') === 'size')
      return [200, JSON.stringify({ size: String(bytes.length) })]
    if (request.method !== 'DELETE') {
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
      return from ? [206, bytes.subarray(Number(from), Number(to) + 1)] : [200, bytes]
    }
    objects.delete(key)
    return [204, '']
  }
  const server: Server = createServer(async (request, reply) => {
    const [status, bytes, headers = {}] = await answer(request)
    reply.writeHead(status, headers).end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    email,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    hosts: { token: `${url}/token`, storage: url },
    objects: () => [...objects.keys()],
    stop: async () => void server.close(),
  }
}
