import type { TraceSpan } from '@switchroom/contract'
import { plainOf } from './spans.ts'

// Which names and attributes of spans hold no words of a call. All others may: what a newer platform adds, too.

/** Of the call and its course, of recognizers and voices, of other parties, and of the exporter. Never what was said or pressed. */
const PLAIN = new Set([
  ...['callSid', 'accountSid', 'applicationSid', 'application_sid', 'callId', 'externalCallId'],
  ...['finalStatus', 'call.termination', 'linkedSpanId', 'traceId', 'parentCallSid', 'callerId'],
  ...['direction', 'from', 'to', 'sbcCallid', 'sipStatus', 'sipReason', 'callStatus', 'duration'],
  ...['callTerminationBy', 'fsSipAddress', 'fsPublicIp', 'apiBaseUrl', 'originatingSipIp'],
  ...['originatingSipTrunkName', 'webhookStatus', 'http.statusCode', 'msgid', 'channel'],
  ...['stt.label', 'stt.vendor', 'stt.resolve', 'stt.latency_ms', 'stt.talkspurts', 'stt.usage'],
  ...['stt.start_time', 'stt.stop_time', 'tts.vendor', 'tts.language', 'tts.voice', 'tts.label'],
  ...['tts.cached', 'time_to_first_byte_ms', 'connect_ms', 'name_lookup_ms', 'final_response_ms'],
  ...['upstream_service_time', 'playback_id', 'engine', 'voice', 'response.status_code'],
  ...['invite.uri', 'invite.dest_type', 'invite.call_id', 'invite.status_code', 'invite.err'],
  ...['refer.refer_to', 'refer.referred_by', 'refer.status_code', 'refer.finalNotify'],
])
/** What media servers report of a voice, and what exporters add of themselves. */
const PLAIN_TOO =
  /^(?:[\w-]{1,40}\.(?:latency_ms|req_id|item_id|optimization|model_name|model_uuid|char_count|ratelimit\w*|organization)|(?:service|telemetry\.sdk|otel|span|internal\.span|sampler)\.[\w.]+)$/

export const isPlainAttribute = (key: string) => PLAIN.has(key) || PLAIN_TOO.test(key)

/** Ends of URLs: applications put into them what they like. */
const QUERY = /[?#]/
const URLS = /^(?:(?:verb:hook|session:redirect) \(|(?:(?:verb|nested|whisper):)?play:\{url=)/
export const namesUrl = (name: string) => URLS.test(name)
export const hasQuery = (url: string) => QUERY.test(url) || /[({=]data:|^data:/i.test(url)

const PLAIN_NAME =
  /^(?:stt-listen:\d+|call-status:[a-z-]+|(?:(?:verb|nested|whisper|background-\w+):)?(?:(?:gather|dial|config)\{.*|say streaming|say\{\}|[a-z_-]+(?::[a-z]+)?|Llm_\w+|lookup[A-Za-z]+|performAppWebhook))$/s

/** Whether a name, or what it names a verb, holds no words. */
export const isPlainName = (name: string) =>
  namesUrl(name) ? !hasQuery(name) : PLAIN_NAME.test(name)

/** Attributes whose value tells by itself whether it holds words. */
const isPlainValue = (key: string, text: string) =>
  key === 'verb.summary'
    ? isPlainName(text)
    : (key === 'app.hook' || key === 'hook.url') && !hasQuery(text)

/** Whether a span may hold what was said or pressed. */
export const holdsWords = ({ name, attributes }: Pick<TraceSpan, 'name' | 'attributes'>) =>
  !isPlainName(name) ||
  attributes.some(
    ({ key, value }) => !isPlainAttribute(key) && !isPlainValue(key, String(plainOf(value) ?? '')),
  )
