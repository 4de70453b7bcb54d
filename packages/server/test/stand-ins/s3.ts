import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * An S3 server with one bucket and the operations that recordings need: put, multipart upload, get with a
 * range, head and delete, with path-style URLs. Follows Amazon's REST API reference and shares no code with the
 * client under test. `s3.test.ts` compares its signatures with Amazon's published examples.
 */

export type Key = { access_key_id: string; secret_access_key: string }
type S3Request = { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer }
type Answer = { status: number; headers?: Record<string, string | number>; body?: Buffer | string }

class Refused extends Error {
  status: number
  constructor(status: number, code: string) {
    super(code)
    this.status = status
  }
}

/** The minimum size of all parts but the last. */
const LEAST_PART = 5 * 1024 * 1024
/** The allowed clock skew. */
const SKEW_MS = 15 * 60_000

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest('hex')
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()
const md5 = (data: Buffer | string) => createHash('md5').update(data).digest('hex')

/** AWS's own encoding: all but the unreserved characters of RFC 3986. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Throws unless the request is signed with this key: signature version 4, in the header. */
export function checkSignature(
  { method, url, headers, body }: S3Request,
  key: Key,
  now = Date.now(),
): void {
  const [, id, date, region, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? []
  if (!id || !date || !region || !names || !signature) throw new Refused(403, 'AccessDenied')
  if (id !== key.access_key_id) throw new Refused(403, 'InvalidAccessKeyId')
  const moment = String(headers['x-amz-date'])
  const at = Date.parse(
    moment.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
  )
  if (!moment.startsWith(date)) throw new Refused(403, 'AccessDenied')
  if (!(Math.abs(now - at) <= SKEW_MS)) throw new Refused(403, 'RequestTimeTooSkewed')
  const signed = names.split(';')
  const left = Object.keys(headers).filter(
    (name) => (name === 'host' || name.startsWith('x-amz-')) && !signed.includes(name),
  )
  if (left.length > 0) throw new Refused(403, 'AccessDenied')
  const payload = String(headers['x-amz-content-sha256'])
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body))
    throw new Refused(400, 'XAmzContentSHA256Mismatch')
  const { pathname, searchParams } = new URL(url, 'http://s3')
  const canonical = [
    method,
    pathname.split('/').map(decodeURIComponent).map(encoded).join('/'),
    [...searchParams]
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .sort()
      .join('&'),
    ...signed.map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    names,
    payload,
  ].join('\n')
  const scope = `${date}/${region}/s3/aws4_request`
  const signing = [date, region, 's3', 'aws4_request'].reduce(
    (secret: Buffer | string, part) => hmac(secret, part),
    `AWS4${key.secret_access_key}`,
  )
  const expected = hmac(signing, ['AWS4-HMAC-SHA256', moment, scope, sha256(canonical)].join('\n'))
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex')))
    throw new Refused(403, 'SignatureDoesNotMatch')
}

const xml = (body: string) => `<?xml version="1.0" encoding="UTF-8"?>\n${body}`
const tag = (name: string, text: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1]

type StoredObject = { bytes: Buffer; etag: string; headers: Record<string, string> }
/** The metadata headers of an object. */
function described(headers: IncomingHttpHeaders) {
  const kept: Record<string, string> = { 'last-modified': new Date().toUTCString() }
  for (const [name, value] of Object.entries(headers))
    if (name === 'content-type' || name.startsWith('x-amz-meta-')) kept[name] = String(value)
  return kept
}

/** The requested range of an object; both ends are inclusive. */
function ranged(range: string | undefined, { bytes, etag, headers }: StoredObject): Answer {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
  const more = { ...headers, etag, 'accept-ranges': 'bytes' }
  if (from === undefined)
    return { status: 200, headers: { ...more, 'content-length': bytes.length }, body: bytes }
  if (Number(from) >= bytes.length) throw new Refused(416, 'InvalidRange')
  const last = Math.min(to ? Number(to) : Number.POSITIVE_INFINITY, bytes.length - 1)
  const body = bytes.subarray(Number(from), last + 1)
  const place = `bytes ${from}-${last}/${bytes.length}`
  return {
    status: 206,
    headers: { ...more, 'content-range': place, 'content-length': body.length },
    body,
  }
}

type Upload = { key: string; headers: Record<string, string>; parts: Map<number, StoredObject> }

/** Creates an object from the listed parts, in order. */
function joined(upload: Upload, request: string): StoredObject {
  const named = [...request.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part]) => ({
    number: Number(tag('PartNumber', part!)),
    // clients send it with quotes, escaped or not, or without
    etag: `"${tag('ETag', part!)?.replace(/&quot;|&#34;|"/g, '')}"`,
  }))
  if (named.length === 0) throw new Refused(400, 'MalformedXML')
  if (named.some(({ number }, i) => i > 0 && number <= named[i - 1]!.number))
    throw new Refused(400, 'InvalidPartOrder')
  const parts = named.map(({ number, etag }) => {
    const part = upload.parts.get(number)
    if (part?.etag !== etag) throw new Refused(400, 'InvalidPart')
    return part!.bytes
  })
  if (parts.slice(0, -1).some(({ length }) => length < LEAST_PART))
    throw new Refused(400, 'EntityTooSmall')
  const etag = `"${md5(Buffer.concat(parts.map((part) => Buffer.from(md5(part), 'hex'))))}-${parts.length}"`
  return { bytes: Buffer.concat(parts), etag, headers: upload.headers }
}

export async function startS3(bucket: string) {
  const key = { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: 'wJalr/bPxRfiCY+EXAMPLE' }
  const objects = new Map<string, StoredObject>()
  const uploads = new Map<string, Upload>()

  /** Handles the requests of multipart uploads; undefined for others. */
  function ofUpload(name: string, query: URLSearchParams, request: S3Request): Answer | undefined {
    if (request.method === 'POST' && query.has('uploads')) {
      const id = randomUUID()
      uploads.set(id, { key: name, headers: described(request.headers), parts: new Map() })
      const body = `<InitiateMultipartUploadResult><Bucket>${bucket}</Bucket><Key>${name}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`
      return { status: 200, body: xml(body) }
    }
    const id = query.get('uploadId')
    if (id === null) return undefined
    const upload = uploads.get(id)
    if (upload?.key !== name) throw new Refused(404, 'NoSuchUpload')
    if (request.method === 'PUT') {
      const number = Number(query.get('partNumber'))
      if (!(number >= 1 && number <= 10_000)) throw new Refused(400, 'InvalidArgument')
      const etag = `"${md5(request.body)}"`
      upload.parts.set(number, { bytes: request.body, etag, headers: {} })
      return { status: 200, headers: { etag } }
    }
    if (request.method === 'POST') {
      const object = joined(upload, request.body.toString())
      objects.set(name, object)
      uploads.delete(id)
      const body = `<CompleteMultipartUploadResult><Bucket>${bucket}</Bucket><Key>${name}</Key><ETag>${object.etag}</ETag></CompleteMultipartUploadResult>`
      return { status: 200, body: xml(body) }
    }
    if (request.method !== 'DELETE') throw new Refused(405, 'MethodNotAllowed')
    uploads.delete(id)
    return { status: 204 }
  }

  function answer(request: S3Request): Answer {
    checkSignature(request, key)
    const { pathname, searchParams } = new URL(request.url, 'http://s3')
    const [, named, ...rest] = pathname.split('/').map(decodeURIComponent)
    const name = rest.join('/')
    if (named !== bucket) throw new Refused(404, 'NoSuchBucket')
    if (name === '') throw new Refused(501, 'NotImplemented')
    const part = ofUpload(name, searchParams, request)
    if (part) return part
    switch (request.method) {
      case 'PUT': {
        const etag = `"${md5(request.body)}"`
        objects.set(name, { bytes: request.body, etag, headers: described(request.headers) })
        return { status: 200, headers: { etag } }
      }
      case 'DELETE':
        objects.delete(name)
        return { status: 204 }
      case 'GET':
      case 'HEAD': {
        const object = objects.get(name)
        if (!object) throw new Refused(404, 'NoSuchKey')
        return ranged(request.headers.range, object)
      }
      default:
        throw new Refused(405, 'MethodNotAllowed')
    }
  }

  const server = createServer(async (request, reply) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method, url, headers } = request
    let result: Answer
    try {
      result = answer({ method: method!, url: url!, headers, body: Buffer.concat(chunks) })
    } catch (e) {
      if (!(e instanceof Refused)) throw e
      const body = xml(`<Error><Code>${e.message}</Code><Message>${e.message}</Message></Error>`)
      result = { status: e.status, headers: { 'content-type': 'application/xml' }, body }
    }
    reply.writeHead(result.status, result.headers)
    reply.end(method === 'HEAD' ? undefined : result.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    key,
    objects: () => [...objects.keys()],
    /** Uploads that are neither completed nor aborted. */
    uploads: () => [...uploads.values()].map((upload) => upload.key),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
