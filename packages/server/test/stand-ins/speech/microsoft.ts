import { pcmOf } from '../../../src/audio/wav.ts'
import type { StandIn, VendorRequest, VendorResponse } from '../speech-server.ts'
import { aFrame } from './sounds.ts'

export const azureKey = 'canary0azure0key'
const error = (code: number, message: string): VendorResponse => ({
  status: code,
  body: { error: { code: String(code), message } },
})
const PATH = '/speech/recognition/conversation/cognitiveservices/v1'

const voice = (ShortName: string, DisplayName: string, Locale: string, Status = 'GA') => ({
  Name: `Microsoft Server Speech Text to Speech Voice (${ShortName})`,
  ShortName,
  DisplayName,
  LocalName: DisplayName,
  Gender: 'Female',
  Locale,
  LocaleName: Locale === 'en-US' ? 'English (United States)' : 'German (Germany)',
  VoiceType: 'Neural',
  Status,
})
const VOICES = [
  voice('en-US-JennyNeural', 'Jenny', 'en-US'),
  voice('en-US-AvaNeural', 'Ava', 'en-US', 'Preview'),
  voice('en-US-OldNeural', 'Old', 'en-US', 'Deprecated'),
  voice('de-DE-KatjaNeural', 'Katja', 'de-DE'),
]

/** True if SSML is well formed: balanced elements, no bare & or <, and a voice within speak. */
function wellFormed(ssml: string) {
  const open: string[] = []
  const seen: string[] = []
  const rest = ssml.replace(
    /<(\/?)([a-zA-Z][\w:-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/g,
    (_, closing: string, name: string, attributes: string, empty: string) => {
      if (/&(?!(amp|lt|gt|quot|apos|#\d+);)/.test(attributes)) open.push('bad')
      if (closing) {
        if (open.pop() !== name) open.push('bad')
      } else {
        seen.push(name)
        if (!empty) open.push(name)
      }
      return ''
    },
  )
  return (
    open.length === 0 &&
    !/[<>]|&(?!(amp|lt|gt|quot|apos|#\d+);)/.test(rest) &&
    seen[0] === 'speak' &&
    seen.includes('voice') &&
    ssml.includes('xmlns="http://www.w3.org/2001/10/synthesis"')
  )
}

function speak({ headers, body }: VendorRequest): VendorResponse {
  if (headers['content-type'] !== 'application/ssml+xml') return { status: 415 }
  if (!headers['user-agent']) return { status: 400 }
  if (headers['x-microsoft-outputformat'] !== 'audio-16khz-32kbitrate-mono-mp3')
    return { status: 400 }
  if (!wellFormed(String(body))) return { status: 400, body: 'SSML is not well formed' }
  return { status: 200, headers: { 'content-type': 'audio/mpeg' }, body: aFrame }
}

function listen({ url, headers, body }: VendorRequest): VendorResponse {
  const rate = /^audio\/wav; codecs=audio\/pcm; samplerate=(\d+)$/.exec(
    headers['content-type'] ?? '',
  )?.[1]
  const wav = pcmOf(body)
  if (!rate || wav?.rate !== Number(rate)) return error(415, 'Unsupported audio')
  if (!/^[a-z]{2}-[A-Z]{2}$/.test(url.searchParams.get('language') ?? ''))
    return error(400, "The 'language' parameter is missing or wrong")
  const hasSound = wav.pcm.some((b) => b !== 0)
  return {
    status: 200,
    body: hasSound
      ? { RecognitionStatus: 'Success', DisplayText: 'Hello world.', Offset: 0, Duration: 1 }
      : { RecognitionStatus: 'InitialSilenceTimeout', Offset: 0, Duration: 1 },
  }
}

/** The services of the region westeurope, with a custom voice and a custom model named `mine`. */
export const azureStandIn: StandIn = {
  hosts: [
    'westeurope.api.cognitive.microsoft.com',
    'westeurope.tts.speech.microsoft.com',
    'westeurope.stt.speech.microsoft.com',
    'westeurope.voice.speech.microsoft.com',
  ],
  http(request) {
    const { host, method, url, headers } = request
    if (headers['ocp-apim-subscription-key'] !== azureKey)
      return error(401, 'Access denied due to invalid subscription key or wrong API endpoint.')
    switch (`${method} ${host.split('.').slice(1, -2).join('.')}${url.pathname}`) {
      case 'POST api.cognitive/sts/v1.0/issueToken':
        return request.body.length ? { status: 400 } : { status: 200, body: 'eyJh.eyJp.c2ln' }
      case 'GET tts.speech/cognitiveservices/voices/list':
        return { status: 200, body: VOICES }
      case 'GET api.cognitive/speechtotext/transcriptions/locales':
        return url.searchParams.get('api-version') === '2024-11-15'
          ? { status: 200, body: ['en-US', 'de-DE'] }
          : error(400, 'api-version')
      case 'POST tts.speech/cognitiveservices/v1':
        return speak(request)
      case 'POST voice.speech/cognitiveservices/v1':
        return url.searchParams.get('deploymentId') === 'mine' ? speak(request) : { status: 404 }
      case `POST stt.speech${PATH}`:
        return ['mine', null].includes(url.searchParams.get('cid'))
          ? listen(request)
          : { status: 404 }
    }
    return { status: 404 }
  },
}

export const azureFaults = {
  quota: error(429, 'Out of call volume quota.'),
  outOfQuota: 'quota or concurrency limit exceeded: Out of call volume quota.',
  echo: (reason: string) => error(400, reason),
}

type Frame = { path: string | undefined; request: string | undefined; body: Buffer }
function frameOf(data: Buffer, binary: boolean): Frame {
  const length = binary ? data.readUInt16BE(0) : data.indexOf('\r\n\r\n')
  const head = data.toString('ascii', binary ? 2 : 0, length + (binary ? 2 : 0))
  const of = (name: string) => new RegExp(`^${name}: (.+?)\r?$`, 'm').exec(head)?.[1]
  return {
    path: of('Path'),
    request: of('X-RequestId'),
    body: data.subarray(length + (binary ? 2 : 4)),
  }
}

/** Both containers at `container.example.com:5000`. `status` is the state of their own key. */
export function containerStandIn(status = 'Valid'): StandIn {
  return {
    hosts: ['container.example.com:5000'],
    http(request) {
      switch (`${request.method} ${request.url.pathname}`) {
        case 'GET /status':
          return {
            status: 200,
            body: {
              service: 'speech',
              apiStatus: status,
              apiStatusMessage: `Api Key is ${status}`,
            },
          }
        case 'GET /cognitiveservices/voices/list':
          return { status: 200, body: VOICES }
        case 'POST /cognitiveservices/v1':
          return speak(request)
      }
      return { status: 404 }
    },
    socket: {
      refuse: ({ url, headers }) =>
        url.pathname !== PATH || !url.searchParams.get('language')
          ? 404
          : /^[0-9a-f]{32}$/.test(String(headers['x-connectionid']))
            ? undefined
            : 400,
      open(socket) {
        const chunks: Buffer[] = []
        let configured = false
        socket.on('message', (data: Buffer, binary) => {
          const { path, request, body } = frameOf(data, binary)
          const answer = (name: string, json: object) =>
            socket.send(
              `X-RequestId:${request}\r\nContent-Type:application/json; charset=utf-8\r\nPath:${name}\r\n\r\n${JSON.stringify(json)}`,
            )
          if (path === 'speech.config' && JSON.parse(String(body)).context) configured = true
          else if (path !== 'audio' || !configured || !request) socket.close(1007, 'Bad frame')
          else if (body.length) chunks.push(body)
          else {
            const wav = pcmOf(Buffer.concat(chunks))
            if (!wav) return socket.close(1007, 'Bad audio')
            answer('turn.start', { context: { serviceTag: 'x' } })
            answer('speech.startDetected', { Offset: 0 })
            answer('speech.hypothesis', { Text: 'hello', Offset: 0, Duration: 1 })
            const hasSound = wav.pcm.some((b) => b !== 0)
            answer('speech.phrase', {
              RecognitionStatus: hasSound ? 'Success' : 'InitialSilenceTimeout',
              DisplayText: hasSound ? 'Hello world.' : '',
            })
            answer('turn.end', {})
          }
        })
      },
    },
  }
}
