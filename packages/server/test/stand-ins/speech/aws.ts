import { createHash, createHmac } from 'node:crypto'
import { EventStreamCodec } from '@smithy/core/event-streams'
import type { WebSocket } from 'ws'
import type { StandIn, VendorRequest, VendorResponse } from '../speech-server.ts'
import { aFrame } from './sounds.ts'

type Key = { id: string; secret: string; token?: string }
export const awsKey: Key = { id: 'AKIACANARYKEY0000000', secret: 'canary/secret+access/key' }
export const assumed: Key = {
  id: 'ASIACANARYKEY0000000',
  secret: 'canary-assumed-secret',
  token: 'canary-session-token/+==',
}
export const roleArn = 'arn:aws:iam::123456789012:role/speech'

const sha = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()
const escaped = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** True if a request has a valid signature version 4 of this key, computed independently. */
export function signedBy(
  key: Key,
  service: string,
  request: Omit<VendorRequest, 'body'>,
  body: Buffer = Buffer.of(),
) {
  const { method, host, url, headers } = request
  const query = [...url.searchParams].filter(([name]) => name !== 'X-Amz-Signature')
  const inUrl = url.searchParams.has('X-Amz-Signature')
  const given = inUrl
    ? {
        credential: url.searchParams.get('X-Amz-Credential'),
        names: url.searchParams.get('X-Amz-SignedHeaders'),
        signature: url.searchParams.get('X-Amz-Signature'),
        date: url.searchParams.get('X-Amz-Date'),
        token: url.searchParams.get('X-Amz-Security-Token'),
      }
    : {
        ...(/^AWS4-HMAC-SHA256 Credential=(?<credential>[^,]+), SignedHeaders=(?<names>[^,]+), Signature=(?<signature>\w+)$/.exec(
          headers.authorization ?? '',
        )?.groups as { credential: string; names: string; signature: string } | undefined),
        date: headers['x-amz-date'],
        token: headers['x-amz-security-token'],
      }
  const { credential, names, signature, date, token } = given
  if (!credential || !names || !signature || typeof date !== 'string') return false
  if ((token ?? undefined) !== key.token) return false
  const scope = `${date.slice(0, 8)}/us-east-1/${service}/aws4_request`
  if (credential !== `${key.id}/${scope}`) return false
  const at = date.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, '$1-$2-$3T$4:$5:$6Z')
  if (!(Math.abs(Date.now() - Date.parse(at)) < 300_000)) return false
  const hash = sha(body)
  if (!inUrl && headers['x-amz-content-sha256'] !== hash) return false
  const signed = names.split(';')
  if (!signed.includes('host')) return false
  const canonical = [
    method,
    url.pathname,
    query
      .map(([k, v]) => `${escaped(k)}=${escaped(v)}`)
      .sort()
      .join('&'),
    ...signed.map((n) => `${n}:${n === 'host' ? host : String(headers[n]).trim()}`),
    '',
    names,
    hash,
  ].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', date, scope, sha(canonical)].join('\n')
  const signing = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${key.secret}`)
  return hmac(signing, toSign).toString('hex') === signature
}

const HOSTS = {
  polly: 'polly.us-east-1.amazonaws.com',
  transcribe: 'transcribe.us-east-1.amazonaws.com',
  sts: 'sts.us-east-1.amazonaws.com',
  streaming: 'transcribestreaming.us-east-1.amazonaws.com:8443',
}
/** REST services name errors in a header, JSON 1.1 services in the body. */
const error = (status: number, type: string, message: string): VendorResponse => ({
  status,
  headers: { 'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/` },
  body: { message },
})
const INVALID = 'The security token included in the request is invalid.'

const voice = (
  Id: string,
  LanguageCode: string,
  SupportedEngines: string[],
  more: string[] = [],
) => ({
  Id,
  Name: Id,
  Gender: 'Female',
  LanguageCode,
  LanguageName: LanguageCode === 'en-US' ? 'US English' : 'Indian English',
  ...(more.length && { AdditionalLanguageCodes: more }),
  SupportedEngines,
})

function polly({ method, url, headers, body }: VendorRequest, endless: boolean): VendorResponse {
  const next = url.searchParams.get('NextToken')
  if (method === 'GET' && url.pathname === '/v1/voices') {
    if (endless) return { status: 200, body: { Voices: [], NextToken: 'again' } }
    return next === null
      ? {
          status: 200,
          body: {
            Voices: [voice('Ruth', 'en-US', ['neural', 'generative'])],
            NextToken: 'page/2+=',
          },
        }
      : next === 'page/2+='
        ? {
            status: 200,
            body: {
              Voices: [
                voice('Joanna', 'en-US', ['standard', 'neural']),
                voice('Aditi', 'en-IN', ['standard'], ['hi-IN']),
              ],
            },
          }
        : error(400, 'InvalidNextTokenException', 'The NextToken is invalid.')
  }
  if (method !== 'POST' || url.pathname !== '/v1/speech') return { status: 404 }
  if (headers['content-type'] !== 'application/json') return { status: 415 }
  const json = JSON.parse(String(body)) as Record<string, string>
  if (json.OutputFormat !== 'mp3' || !json.Text || !json.VoiceId || !json.LanguageCode)
    return error(400, 'ValidationException', 'Something is missing')
  if ((json.TextType === 'ssml') !== json.Text.startsWith('<speak>'))
    return error(400, 'InvalidSsmlException', 'Invalid SSML request')
  if (json.VoiceId === 'Ruth' && json.Engine === 'standard')
    return error(400, 'ValidationException', 'This voice does not support the selected engine')
  return { status: 200, headers: { 'content-type': 'audio/mpeg' }, body: aFrame }
}

function transcribe({ method, headers, body }: VendorRequest, good: boolean): VendorResponse {
  const typed = (type: string, message: string): VendorResponse => ({
    status: 400,
    body: { __type: type, Message: message },
  })
  if (!good) return typed('UnrecognizedClientException', INVALID)
  if (method !== 'POST' || headers['content-type'] !== 'application/x-amz-json-1.1')
    return typed('SerializationException', 'No')
  if (headers['x-amz-target'] !== 'Transcribe.ListVocabularies')
    return typed('UnknownOperationException', 'No')
  JSON.parse(String(body))
  return { status: 200, body: { Status: 'READY', Vocabularies: [] } }
}

function sts({ body }: VendorRequest, good: boolean): VendorResponse {
  const form = new URLSearchParams(String(body))
  const xml = (inner: string) =>
    `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">${inner}</AssumeRoleResponse>`
  if (!good || form.get('Action') !== 'AssumeRole' || form.get('RoleArn') !== roleArn)
    return {
      status: 403,
      headers: { 'content-type': 'text/xml' },
      body: '<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>User: canary-own is not authorized</Message></Error><RequestId>1</RequestId></ErrorResponse>',
    }
  return {
    status: 200,
    headers: { 'content-type': 'text/xml' },
    body: xml(
      `<AssumeRoleResult><Credentials><AccessKeyId>${assumed.id}</AccessKeyId><SecretAccessKey>${assumed.secret}</SecretAccessKey><SessionToken>${assumed.token}</SessionToken><Expiration>${new Date(Date.now() + 3_600_000).toISOString()}</Expiration></Credentials></AssumeRoleResult>`,
    ),
  }
}

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString('utf8'),
  (text) => Buffer.from(text),
)
/** An event stream message of Transcribe. */
export const message = (type: 'event' | 'exception', name: string, json: object) =>
  codec.encode({
    headers: {
      [`:${type}-type`]: { type: 'string', value: name },
      ':message-type': { type: 'string', value: type },
      ':content-type': { type: 'string', value: 'application/json' },
    },
    body: Buffer.from(JSON.stringify(json)),
  })
const transcript = (Transcript: string, IsPartial: boolean) =>
  message('event', 'TranscriptEvent', {
    Transcript: { Results: [{ IsPartial, Alternatives: [{ Transcript }] }] },
  })

function listen(socket: WebSocket, { url }: Omit<VendorRequest, 'body'>) {
  const refuse = (text: string) => {
    socket.send(message('exception', 'BadRequestException', { Message: text }))
    socket.close(1000)
  }
  const query = url.searchParams
  if (query.get('language-code') === 'xx-XX') return refuse('Language not supported')
  if (query.get('media-encoding') !== 'pcm') return refuse('No encoding')
  if (!['8000', '16000'].includes(query.get('sample-rate') ?? '')) return refuse('No rate')
  let loud = false
  socket.on('message', (data: Buffer, binary) => {
    if (!binary) return refuse('Not a message')
    const { headers, body } = codec.decode(data)
    if (headers[':event-type']?.value !== 'AudioEvent' || body.length > 32_000)
      return refuse('Not audio')
    if (headers[':content-type']?.value !== 'application/octet-stream') return refuse('No type')
    loud ||= body.some((b) => b !== 0)
    if (body.length) return
    if (loud)
      for (const [text, partial] of [
        ['Hello', true],
        ['Hello', false],
        ['world.', false],
      ] as const)
        socket.send(transcript(text, partial))
    socket.close(1000)
  })
}

/** Polly, Transcribe and STS of us-east-1, for `by`; `own` may assume the role. */
export const awsStandIn = ({ by = awsKey, own = awsKey, endless = false } = {}): StandIn => ({
  hosts: Object.values(HOSTS),
  http(request) {
    const good = (service: string, key: Key) => signedBy(key, service, request, request.body)
    if (request.host === HOSTS.sts) return sts(request, good('sts', own))
    if (request.host === HOSTS.transcribe) return transcribe(request, good('transcribe', by))
    if (!good('polly', by)) return error(403, 'UnrecognizedClientException', INVALID)
    return polly(request, endless)
  },
  socket: {
    refuse: (request) =>
      request.url.pathname !== '/stream-transcription-websocket'
        ? 404
        : signedBy(by, 'transcribe', request)
          ? undefined
          : 403,
    open: listen,
  },
})

export const awsFaults = {
  quota: error(400, 'ThrottlingException', 'Rate exceeded'),
  outOfQuota: 'quota or concurrency limit exceeded: Rate exceeded',
  echo: (reason: string) => error(400, 'ValidationException', reason),
}
