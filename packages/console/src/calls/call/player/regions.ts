import { decimalText, t } from '@switchroom/contract'
import { isRecord } from '../../../lib/records'
import type { Span } from '../tracing/spans'
import { endOfSpeech, type Peaks } from './peaks'

export type RegionKind = 'speech' | 'stt-latency' | 'dtmf' | 'tts-latency' | 'response'

/** A part of the recording that the trace describes. Times are seconds from its start. */
export type Region = {
  id: string
  kind: RegionKind
  /** 0, drawn above, is the person; 1 is the application. */
  channel: 0 | 1
  start: number
  end: number
  /** Label on the waveform. */
  text?: string
  /** Shown in a dialog; a latency has only its label. */
  details?: { title: string; facts: [name: string, value: string][] }
}

export const KIND_WORDS: Record<RegionKind, string> = {
  speech: t('Speech to text result'),
  'stt-latency': t('Speech to text latency'),
  dtmf: t('Dtmf result'),
  'tts-latency': t('TTS latency'),
  response: t('Application response latency'),
}

/** The facts that tell what a person said or pressed. */
export const SAID = { transcript: t('Transcript'), dtmf: t('Dtmf') }

/** The span that starts with the recording. */
const RECORDING_SPAN = 'background-record:listen'
/** Seconds after the start of listening at which the region of a result begins. */
const SPEECH_AFTER = 0.05
const MIN_DTMF = 0.1
const MIN_RESPONSE = 0.05

const attribute = ({ attributes }: Span, name: string) =>
  attributes.find(([key]) => key === name)?.[1]

/** Parses JSON of a span; anything else gives an empty object. */
function json(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

const number = (text: string | undefined) => {
  const value = Number(text)
  return text !== undefined && text.trim() !== '' && Number.isFinite(value) ? value : undefined
}
const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
const latency = (seconds: number) => t('{seconds} seconds', { seconds: decimalText(seconds, 2) })

function flatten(roots: readonly Span[]): Span[] {
  const all: Span[] = []
  const waiting = [...roots]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    all.push(next)
    waiting.push(...next.children)
  }
  return all
}

type PlacedSpan = { span: Span; start: number; end: number }

/** Undefined if the trace does not show when the recording started. */
export function regionsOf(
  roots: readonly Span[],
  peaks: readonly [Peaks, Peaks] | undefined,
  length: number,
): Region[] | undefined {
  const all = flatten(roots)
  const zero = all.find(({ name }) => name.includes(RECORDING_SPAN))
  if (!zero) return undefined
  return all
    .flatMap((span) => {
      const start = (span.start - zero.start) / 1e9
      return regionsOfSpan({ span, start, end: start + span.duration / 1e9 }, peaks)
    })
    .map((region) => ({
      ...region,
      start: Math.max(0, region.start),
      end: Math.min(length, region.end),
    }))
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start)
}

function regionsOfSpan(placed: PlacedSpan, peaks: readonly [Peaks, Peaks] | undefined): Region[] {
  const { name } = placed.span
  const listened = /stt-listen:(\d+)/.exec(name)
  if (listened) return speech(placed, Number(listened[1]) > 1 ? 1 : 0, peaks)
  if (name.includes(':gather{')) return speech(placed, 0, peaks)
  if (name.startsWith('dtmf:')) return dtmf(placed)
  if (name.includes('tts-generation')) return tts(placed)
  if (name.includes('verb:hook')) return response(placed)
  return []
}

function speech(
  { span, start, end }: PlacedSpan,
  channel: 0 | 1,
  peaks: readonly [Peaks, Peaks] | undefined,
): Region[] {
  const resolve = attribute(span, 'stt.resolve')
  const isSpeech = resolve === 'speech'
  const silent = isSpeech && peaks ? endOfSpeech(peaks[channel], start, end) : undefined
  const value = isSpeech ? sttLatency(span, end, silent) : undefined
  const regions: Region[] = [
    {
      id: span.id,
      kind: 'speech',
      channel,
      start: start + SPEECH_AFTER,
      end,
      details: { title: KIND_WORDS.speech, facts: result(span, resolve, value) },
    },
  ]
  if (silent !== undefined && value !== undefined)
    regions.push({
      id: `${span.id}-latency`,
      kind: 'stt-latency',
      channel,
      start: silent,
      end,
      text: `${decimalText(value, 2)}s`,
    })
  return regions
}

/**
 * Latency in seconds as measured by the platform, else the time since speech ended, less the application's webhook.
 */
function sttLatency(span: Span, end: number, silent: number | undefined): number | undefined {
  const measured = number(attribute(span, 'stt.latency_ms'))
  if (measured !== undefined) return measured / 1_000
  if (silent === undefined) return undefined
  const hook = span.children.find(({ name }) => name.includes('verb:hook'))
  const value = end - silent - (hook?.duration ?? 0) / 1e9
  return value >= 0 ? value : undefined
}

function result(span: Span, resolve: string | undefined, value: number | undefined) {
  const sttResult = json(attribute(span, 'stt.result'))
  const [best]: unknown[] = Array.isArray(sttResult.alternatives) ? sttResult.alternatives : []
  const { transcript, confidence }: Record<string, unknown> = isRecord(best) ? best : {}
  const vendor = isRecord(sttResult.vendor) ? sttResult.vendor.name : sttResult.vendor
  const facts: [string, string | undefined][] = [
    [t('Vendor'), textOf(vendor) ?? attribute(span, 'stt.vendor')],
    [t('Confidence'), Number(confidence) === 0 ? undefined : textOf(confidence)],
    [t('Language code'), textOf(sttResult.language_code)],
    [SAID.transcript, textOf(transcript) ?? emptyTranscript(resolve)],
    [t('Latency'), value === undefined ? undefined : latency(value)],
  ]
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined)
}

const emptyTranscript = (resolve: string | undefined) =>
  resolve === 'timeout'
    ? t('None (speech session timeout)')
    : t('None (call disconnected or speech session terminated)')

function dtmf({ span, start, end }: PlacedSpan): Region[] {
  const pressed = attribute(span, 'dtmf')
  const lasted = attribute(span, 'duration')
  if (pressed === undefined || lasted === undefined) return []
  const facts: [string, string][] = [
    [SAID.dtmf, pressed],
    [t('Duration'), lasted],
  ]
  const details = { title: KIND_WORDS.dtmf, facts }
  return [
    {
      id: span.id,
      kind: 'dtmf',
      channel: 0,
      start,
      end: Math.max(end, start + MIN_DTMF),
      details,
    },
  ]
}

function tts({ span, start, end }: PlacedSpan): Region[] {
  const vendor = attribute(span, 'tts.vendor')
  if (!vendor || attribute(span, 'tts.cached') === 'true') return []
  const first = number(attribute(span, 'time_to_first_byte_ms'))
  const until = first === undefined ? end : start + first / 1_000
  const facts: [string, string][] = [
    [t('Vendor'), vendor],
    [t('Latency'), latency(until - start)],
    [t('From cache'), t('No')],
  ]
  const details = { title: KIND_WORDS['tts-latency'], facts }
  const text = `${decimalText(until - start, 2)}s`
  return [{ id: span.id, kind: 'tts-latency', channel: 1, start, end: until, text, details }]
}

function response({ span, start, end }: PlacedSpan): Region[] {
  const { reason } = json(attribute(span, 'http.body'))
  if (reason !== 'speechDetected' && reason !== 'dtmfDetected') return []
  const facts: [string, string][] = [
    [t('Status code'), attribute(span, 'http.statusCode') ?? '404'],
    [t('Latency'), latency(end - start)],
  ]
  const details = { title: KIND_WORDS.response, facts }
  const text = `${decimalText(end - start, 2)}s`
  const until = Math.max(end, start + MIN_RESPONSE)
  return [{ id: span.id, kind: 'response', channel: 0, start, end: until, text, details }]
}

/** The ids of regions whose label fits, from left to right on each channel. */
export function labelsThatFit(
  regions: readonly Region[],
  x: (seconds: number) => number,
): Set<string> {
  const free = [0, 0]
  const fitting = new Set<string>()
  for (const { id, text, channel, start } of regions.toSorted((a, b) => a.start - b.start)) {
    const from = Math.max(0, x(start))
    if (!text || from < free[channel]!) continue
    free[channel] = from + text.length * LETTER + 6
    fitting.add(id)
  }
  return fitting
}
/** Width of a letter at most, in pixels. */
const LETTER = 7
