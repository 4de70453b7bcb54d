import { createHmac } from 'node:crypto'
import type { SpanAttribute, SpanValue, Trace, TraceSpan, WordsKept } from '@switchroom/contract'
import { masked, type Redacted } from './masked.ts'
import { bodyWithoutWords, resultWithoutWords, targetsWithoutWords } from './redacted-json.ts'
import { shownText } from './said.ts'
import { hasQuery, holdsWords, isPlainAttribute, isPlainName, namesUrl } from './span-words.ts'
import { plainOf, SAID_AS, WORDS } from './spans.ts'

export { masked } from './masked.ts'

const STRICTNESS: readonly WordsKept[] = ['keep', 'mask', 'leave_out']
/** The one that keeps the least; `keep` without any. */
export const strictest = (all: Iterable<WordsKept>): WordsKept =>
  STRICTNESS[Math.max(0, ...Array.from(all, (words) => STRICTNESS.indexOf(words)))]!

const isRedacted = (words: unknown): words is Redacted => words === 'mask' || words === 'leave_out'

/**
 * The same span without words: with `mask`, without digits and e-mail addresses in what was said or pressed and in all
 * that is not known to be something else; with `leave_out`, without these at all. Times, and what figures are made of,
 * stay. A span that went through this before comes out as it was. `key` is secret: with it, prompts that were the same
 * can still be told from others, within their call.
 */
export function spanWithoutWords(span: TraceSpan, words: Redacted, key: string): TraceSpan {
  if (!holdsWords(span)) return span
  const textAt = (key: string) => span.attributes.find((one) => one.key === key)?.value.stringValue
  const before = textAt(WORDS)
  const said = standsForText(textAt(SAID_AS)) ?? saidAs(span, words, key)
  const added = {
    ...(said !== undefined && { [SAID_AS]: said }),
    [WORDS]: isRedacted(before) ? strictest([before, words]) : words,
  }
  return {
    ...span,
    name: nameWithoutWords(span.name, words),
    attributes: [
      ...span.attributes.flatMap((attribute) => attributeWithoutWords(attribute, words)),
      ...Object.entries(added).map(([name, stringValue]) => ({
        key: name,
        value: { stringValue },
      })),
    ],
  }
}

/** The same of a trace. */
export function traceWithoutWords(trace: Trace, words: WordsKept, key: string): Trace {
  if (words === 'keep') return trace
  return {
    ...trace,
    resourceSpans: trace.resourceSpans.map((of) => {
      const scopeSpans = of.scopeSpans.map((scope) => ({
        ...scope,
        spans: scope.spans.map((span) => spanWithoutWords(span, words, key)),
      }))
      return { ...of, scopeSpans, instrumentationLibrarySpans: scopeSpans }
    }),
  }
}

const SAID_AS_LENGTH = 16
const standsForText = (text: string | undefined) =>
  text?.length === SAID_AS_LENGTH && /^[\w-]+$/.test(text) ? text : undefined

/** What stands for the text of a prompt that loses something. */
function saidAs({ traceId, name }: TraceSpan, words: Redacted, key: string) {
  const { text } = shownText(name)
  if (text === null || (words === 'mask' && masked(text) === text)) return undefined
  const digest = createHmac('sha256', key).update(`${traceId}\n${text}`).digest('base64url')
  return digest.slice(0, SAID_AS_LENGTH)
}

const SAYS = /^((?:(?:verb|nested|whisper):)?say\{)text=/
const KEY = 'dtmf:'
/** Stands for a key that was pressed. */
const PRESSED = '•'

/** A span’s name, or the summary of a verb in it. */
function nameWithoutWords(name: string, words: Redacted): string {
  if (isPlainName(name)) return name
  if (namesUrl(name)) return urlWithoutWords(name, words) + (words === 'mask' ? '' : closing(name))
  if (words === 'mask') return masked(name)
  const says = SAYS.exec(name)
  if (says) return `${says[1]}}`
  if (name.startsWith(KEY)) return KEY
  return /^(?:verb|nested|whisper|background-\w+):[a-z_]+/i.exec(name)?.[0] ?? UNKNOWN
}

/** Stands for a name that is not known to hold no words. */
const UNKNOWN = '•'

const closing = (name: string) => /[)}]$/.exec(name)?.[0] ?? ''

function urlWithoutWords(url: string, words: Redacted): string {
  if (!hasQuery(url)) return url
  const query = /[?#]|(?<=[({=]|^)data:/i.exec(url)!.index
  return url.slice(0, query) + (words === 'mask' ? masked(url.slice(query)) : '')
}

type Rewrite = (text: string, words: Redacted) => string | undefined
const REWRITES = new Map<string, Rewrite>([
  ['verb.summary', nameWithoutWords],
  ['stt.result', resultWithoutWords],
  ['http.body', bodyWithoutWords],
  ['dial.target', targetsWithoutWords],
  ['app.hook', urlWithoutWords],
  ['hook.url', urlWithoutWords],
  // somebody pressed a key, which a player draws
  ['dtmf', (text, words) => (words === 'mask' ? masked(text) : PRESSED)],
])
const hide: Rewrite = (text, words) => (words === 'mask' ? masked(text) : undefined)

function attributeWithoutWords({ key, value }: SpanAttribute, words: Redacted): SpanAttribute[] {
  if (key === WORDS || key === SAID_AS) return []
  if (isPlainAttribute(key) || value.boolValue !== undefined) return [{ key, value }]
  const rewrite = REWRITES.get(key)
  const text = (rewrite ?? hide)(String(plainOf(value) ?? ''), words)
  if (text === undefined) return []
  return [{ key: rewrite ? key : masked(key), value: textValue(value, text) }]
}

const textValue = (before: SpanValue, text: string): SpanValue =>
  before.stringValue === text ? before : { stringValue: text }
