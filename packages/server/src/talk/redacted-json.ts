import { masked, type Redacted } from './masked.ts'
import { isJson } from './spans.ts'

/** Deeper, nothing is kept. */
const MAX_DEPTH = 20
const MAX_ALTERNATIVES = 20
/** Stands for what is too deep. */
const HIDDEN = '•••'

/** Undefined if it is no JSON, such as JSON that was cut. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Scalar = string | number | boolean | null
const isScalar = (value: unknown): value is Scalar =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

/** Any value with all its texts and numbers masked. */
function hidden(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return masked(value)
  if (typeof value === 'number') return masked(String(value))
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return HIDDEN
  if (Array.isArray(value)) return value.map((item) => hidden(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [masked(key), hidden(member, depth + 1)]),
  )
}

/** Of JSON that is not what it should be. */
function otherText(text: string, value: unknown, words: Redacted) {
  if (words === 'leave_out') return undefined
  return value === undefined ? masked(text) : JSON.stringify(hidden(value))
}

const ERROR_MEMBERS = ['message', 'code', 'error', 'name', 'reason', 'status', 'type']

/** What a vendor reports of a failure. */
const errorOf = (error: unknown): unknown =>
  isJson(error)
    ? Object.fromEntries(
        ERROR_MEMBERS.flatMap((key) => (isScalar(error[key]) ? [[key, error[key]]] : [])),
      )
    : isScalar(error)
      ? error
      : undefined

const scalar = (value: unknown) => (isScalar(value) ? value : undefined)

/** A recognizer's result: without what the vendor sent, which has the same words once more, and who knows where. */
function result(value: Record<string, unknown>, words: Redacted) {
  const { alternatives, vendor, error } = value
  return {
    language_code: scalar(value.language_code),
    channel_tag: scalar(value.channel_tag),
    is_final: scalar(value.is_final),
    alternatives: Array.isArray(alternatives)
      ? alternatives.slice(0, MAX_ALTERNATIVES).map((one) => alternative(one, words))
      : undefined,
    vendor: isJson(vendor) ? { name: scalar(vendor.name) } : scalar(vendor),
    error: errorOf(error),
  }
}

function alternative(value: unknown, words: Redacted) {
  if (!isJson(value)) return {}
  const { confidence, transcript } = value
  return {
    ...(typeof confidence === 'number' && { confidence }),
    ...(words === 'mask' && transcript !== undefined && { transcript: hidden(transcript) }),
  }
}

export function resultWithoutWords(text: string, words: Redacted): string | undefined {
  const value = parsed(text)
  return isJson(value) ? JSON.stringify(result(value, words)) : otherText(text, value, words)
}

/** What the platform itself writes into requests to webhooks, without underscores and in lower case: the call, and what came of a verb. */
const OF_PLATFORM = new Set([
  ...['callsid', 'parentcallsid', 'direction', 'from', 'to', 'callid', 'sbccallid', 'traceid'],
  ...['sipstatus', 'sipreason', 'callstatus', 'callerid', 'callername', 'accountsid', 'duration'],
  ...['applicationsid', 'serviceprovidersid', 'fssipaddress', 'fspublicip', 'publicip'],
  ...['localsipaddress', 'originatingsipip', 'originatingsiptrunkname', 'calltermination'],
  ...['callterminationby', 'apibaseurl', 'hasrecording', 'verbid', 'reason', 'event', 'type'],
  ...['sttlatencyms', 'stttalkspurts', 'sttstarttime', 'sttstoptime', 'sttusage', 'language'],
  ...['dialcallstatus', 'dialsipstatus', 'dialcallsid', 'dialsbccallid', 'dialcallduration'],
  ...['playbackseconds', 'playbackmilliseconds', 'status', 'queuesid', 'queuetime', 'queueresult'],
  ...['dequeueresult', 'referstatus', 'finalreferredcallstatus', 'result', 'completionreason'],
  ...['dialogflowresult', 'lexresult', 'rasaresult', 'frequency', 'variance', 'carrier'],
  ...['messagestatus', 'carriermessageid', 'messagefailurereason'],
])
const FAILURES = new Set(['error', 'err', 'details'])

const isOfPlatform = (key: string) => OF_PLATFORM.has(key.replaceAll('_', '').toLowerCase())

/** What a webhook was sent. */
export function bodyWithoutWords(text: string, words: Redacted): string | undefined {
  const value = parsed(text)
  if (!isJson(value)) return otherText(text, value, words)
  const hasFailed =
    value.reason === 'error' || value.result === 'failed' || 'completionReason' in value
  const members = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    if (isOfPlatform(key) && isScalar(member)) return [[key, member]]
    if (hasFailed && FAILURES.has(key)) return [[key, errorOf(member)]]
    if (words === 'leave_out') return []
    return [
      [masked(key), key === 'speech' && isJson(member) ? result(member, words) : hidden(member)],
    ]
  })
  return JSON.stringify(Object.fromEntries(members))
}

/** What is in every line of the platform's logs, beside its message. */
const OF_LINE = new Set(['level', 'time', 'pid', 'hostname', 'name', 'module'])

/** A line of the platform's logs. What is not JSON is masked, or undefined. */
export function lineWithoutWords(line: string, words: Redacted): string | undefined {
  const value = parsed(line)
  if (!isJson(value)) return otherText(line, value, words)
  const members = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    if ((OF_LINE.has(key) || isOfPlatform(key)) && isScalar(member)) return [[key, member]]
    return words === 'mask' ? [[masked(key), hidden(member)]] : []
  })
  return JSON.stringify(Object.fromEntries(members))
}

/** Whom a dial calls is no word of the call, other than headers, which applications write. */
const OF_TARGET = new Set(['type', 'number', 'name', 'sipUri', 'trunk', 'tenant', 'vmail'])

export function targetsWithoutWords(text: string, words: Redacted): string | undefined {
  const value = parsed(text)
  if (!Array.isArray(value)) return otherText(text, value, words)
  return JSON.stringify(
    value.map((target) =>
      isJson(target)
        ? Object.fromEntries(
            Object.entries(target).flatMap(([key, member]) =>
              OF_TARGET.has(key) && isScalar(member)
                ? [[key, member]]
                : words === 'mask'
                  ? [[masked(key), hidden(member)]]
                  : [],
            ),
          )
        : words === 'mask'
          ? hidden(target)
          : null,
    ),
  )
}
