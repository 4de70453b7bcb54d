import type { Conversation, SpanValue, Trace, TraceSpan } from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import { asSpans, examples } from '../../test/conversations.ts'
import { traceOf } from '../stores/traces/span.ts'
import { conversationOf } from './conversation.ts'
import type { Redacted } from './masked.ts'
import { masked, spanWithoutWords, traceWithoutWords } from './redaction.ts'
import { talkOf } from './talk.ts'

const TRACE_ID = 'ab'.repeat(16)
const BOTH: Redacted[] = ['mask', 'leave_out']
const origin = { resource: [], scope: { name: '', version: '' } }
const traced = (spans: TraceSpan[]): Trace => traceOf([{ origin, spans }])!

type Values = Record<string, string | number | boolean>
const typed = (value: Values[string]): SpanValue =>
  typeof value === 'string'
    ? { stringValue: value }
    : typeof value === 'boolean'
      ? { boolValue: value }
      : { intValue: String(value) }
const spanOf = (name: string, attributes: Values = {}): TraceSpan => ({
  traceId: TRACE_ID,
  spanId: '1'.repeat(16),
  parentSpanId: '',
  name,
  kind: 'SPAN_KIND_INTERNAL',
  startTimeUnixNano: '1767268800000000000',
  endTimeUnixNano: '1767268801000000000',
  attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: typed(value) })),
})
const without = (words: Redacted, name: string, attributes?: Values) =>
  spanWithoutWords(spanOf(name, attributes), words, 'key')
const read = (span: TraceSpan) =>
  Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

describe('a masked text', () => {
  it.each([
    ['my card is 4111 1111 1111 1111', 'my card is •••• •••• •••• ••••'],
    ['رقمي ٤٢٧ و ۹', 'رقمي ••• و •'],
    ['write to jane.doe+x@example.co.uk, please', 'write to •••, please'],
    ['Jane@Example.com! And bob@example.org?', '•••! And •••?'],
    ['jane @ example.com', '•••'],
    ['我的邮箱是 jane@example.com。谢谢', '我的邮箱是 •••。谢谢'],
    ['jörg@münchen.example', '•••'],
    ['メールは ｍａｒｙ＠ｅｘａｍｐｌｅ．ｃｏｍ です', 'メールは ••• です'],
    ['ｍａｒｙ ＠ ｅｘａｍｐｌｅ．ｃｏｍ。', '•••。'],
    ['a@b@c', '•••'],
    ['Mail to jane@...', 'Mail to •••...'],
    ['meet me @ home', 'meet me @ home'],
    ['four two', 'four two'],
    ['', ''],
  ])('%s', (text, expected) => {
    expect(masked(text)).toBe(expected)
    expect(masked(expected)).toBe(expected)
  })

  // if each character were compared with all, this would take longer than a test may
  it.each(['a@', 'a', ' a @ b', '.', '@', '1', 'x@.'])(
    'may be half a million characters of %j',
    (text) => {
      expect(masked(text.repeat(500_000 / text.length))).not.toContain('1')
    },
  )
})

describe.each(BOTH)('%s', (words) => {
  it.each(examples.map((example) => [example.name, example] as const))(
    'leaves the figures as they are: %s',
    (_, example) => {
      const trace = traced(asSpans(example, TRACE_ID))
      const redacted = traceWithoutWords(trace, words, 'key')
      const figuresIn = (of: Trace) => ({ ...talkOf(of), words: null })
      expect(figuresIn(redacted)).toEqual(figuresIn(trace))
      expect(timesOf(conversationOf(redacted))).toEqual(timesOf(conversationOf(trace)))
      // whatever was done once is not done again
      expect(traceWithoutWords(redacted, words, 'key')).toEqual(redacted)
    },
  )
})

const CARD = '4111222233334444'
const MAIL = 'canary.jane@example.com'
const WORD = 'CANARYWORD'
const TEXT = `${WORD} ${CARD} ${MAIL}`
const result = {
  language_code: 'en-US',
  channel_tag: 1,
  is_final: true,
  alternatives: [{ transcript: TEXT, confidence: 0.5 }, { transcript: TEXT }],
  vendor: { name: 'google', evt: { deep: [{ transcript: TEXT, number: Number(CARD) }] } },
}
const canaries: [where: string, name: string, attributes: Values][] = [
  ['stt.result', 'verb:gather{inputs=speech}', { 'stt.result': JSON.stringify(result) }],
  [
    'stt.result that was cut',
    'stt-listen:2',
    { 'stt.result': JSON.stringify(result).slice(0, -9) },
  ],
  ['stt.result of another shape', 'stt-listen:1', { 'stt.result': JSON.stringify([[TEXT]]) }],
  ...Object.entries({
    digits: CARD,
    dtmf: Number(CARD),
    speech: result,
    transcript: TEXT,
    greeting: TEXT,
    message: TEXT,
    customerData: { [TEXT]: [TEXT, { number: Number(CARD) }] },
    from: { text: TEXT },
    details: { message: TEXT },
    [TEXT]: 1,
  }).map(([key, value]): [string, string, Values] => [
    `http.body ${key}`,
    'verb:hook (/a)',
    { 'http.body': JSON.stringify({ callSid: 'c1', reason: 'speechDetected', [key]: value }) },
  ]),
  ['http.body as text', 'verb:hook (/a)', { 'http.body': TEXT }],
  ['http.body as a text in JSON', 'verb:hook (/a)', { 'http.body': JSON.stringify(TEXT) }],
  ['a verb', `verb:say{text=${TEXT}}`, { 'verb.summary': `say{text=${TEXT}}` }],
  ['a nested verb', `nested:say{text=${TEXT}}`, {}],
  ['a whisper', `whisper:say{text=${TEXT}...}`, {}],
  ['app.tasks', 'performAppWebhook', { 'app.tasks': `[say{text=${TEXT}},hangup]` }],
  ['a key', `dtmf:${CARD}`, { dtmf: Number(CARD), duration: '160ms' }],
  [
    'a dial’s headers',
    'verb:dial{2 targets}',
    { 'dial.target': JSON.stringify([{ type: 'phone', number: '1', headers: { 'X-A': TEXT } }]) },
  ],
  ['a webhook’s URL', `verb:hook (https://a/b?c=${TEXT})`, { 'hook.url': `https://a/b?c=${TEXT}` }],
  [
    'a prompt’s URL',
    `verb:play:{url=https://a/b?say=${TEXT}}`,
    { 'verb.summary': `play:{url=https://a/b?say=${TEXT}}` },
  ],
  ['a SIP header', 'verb:sip:request', { [`X-${CARD}`]: TEXT, body: `Signal=${CARD} ${TEXT}` }],
  [
    'an unknown attribute',
    'verb:gather{inputs=speech}',
    { 'stt.summary': TEXT, 'stt.number': Number(CARD) },
  ],
  ['an unknown verb', `verb:tell{${TEXT}}`, { 'verb.summary': `tell{${TEXT}}` }],
  ['an unknown span', TEXT, {}],
  ['what was not ours', 'verb:say{text=Hi}', { 'switchroom.said': TEXT, 'switchroom.words': TEXT }],
]

describe.each(canaries)('words in %s', (_, name, attributes) => {
  it('are masked', () => {
    const text = JSON.stringify(without('mask', name, attributes))
    for (const part of [CARD.slice(0, 10), MAIL, 'example.com']) expect(text).not.toContain(part)
    expect(text).toContain('mask')
  })

  it('are left out', () => {
    const text = JSON.stringify(without('leave_out', name, attributes))
    for (const part of [CARD, '4111', MAIL, 'example.com', WORD, '•••'])
      expect(text).not.toContain(part)
    expect(text).toContain('leave_out')
  })

  it('stay out', () => {
    for (const first of BOTH)
      for (const then of BOTH) {
        const twice = spanWithoutWords(without(first, name, attributes), then, 'key')
        expect(spanWithoutWords(twice, then, 'key')).toEqual(twice)
        expect(read(twice)['switchroom.words']).toBe(first === 'leave_out' ? first : then)
      }
  })
})

describe('a span', () => {
  it('without words stays the same', () => {
    for (const [name, attributes] of [
      ['incoming-call', { callSid: 'c1', from: '15551230001', 'call.termination': 'x' }],
      ['call-status:completed', { callSid: 'c1', to: '15551230001', duration: 9 }],
      [
        'verb:gather{inputs=digits}',
        { 'stt.resolve': 'timeout', 'verb.summary': 'gather{inputs=digits}' },
      ],
      ['verb:hook (/menu)', { 'http.statusCode': 200 }],
      ['verb:dial{type=phone,number=15551230001}', {}],
      ['verb:config{set recognizer{google,en-US,None}}', {}],
      [
        'tts-generation',
        { 'tts.voice': 'en-US-Wavenet-1', 'elevenlabs.req_id': '42', 'service.name': 'jambonz' },
      ],
      ['background-record:listen', {}],
      ['verb:Llm_OpenAI_s2s', { 'verb.summary': 'Llm_OpenAI_s2s' }],
      ['lookupApplication', { 'app.hook': 'https://example.com/42' }],
    ] as const) {
      const span = spanOf(name, attributes)
      for (const words of BOTH) expect(spanWithoutWords(span, words, 'key')).toBe(span)
    }
  })

  it('keeps what conversations are made of', () => {
    const body = {
      callSid: 'c1',
      call_status: 'in-progress',
      from: '1555',
      reason: 'dtmfDetected',
      dialSipStatus: 486,
      queueTime: 12,
    }
    for (const words of BOTH) {
      expect(
        JSON.parse(
          String(
            read(
              without(words, 'verb:hook (/a)', {
                'http.body': JSON.stringify({ ...body, digits: '42' }),
              }),
            )['http.body'],
          ),
        ),
      ).toEqual({ ...body, ...(words === 'mask' && { digits: '••' }) })
      expect(
        JSON.parse(
          String(
            read(
              without(words, 'verb:gather{', {
                'stt.result': JSON.stringify({ ...result, error: { message: 'no 7' } }),
              }),
            )['stt.result'],
          ),
        ),
      ).toEqual({
        language_code: 'en-US',
        channel_tag: 1,
        is_final: true,
        alternatives: [
          {
            confidence: 0.5,
            ...(words === 'mask' && { transcript: `${WORD} •••••••••••••••• •••` }),
          },
          words === 'mask' ? { transcript: `${WORD} •••••••••••••••• •••` } : {},
        ],
        vendor: { name: 'google' },
        error: { message: 'no 7' },
      })
    }
    expect(without('mask', 'verb:say{text=Your 2 codes...}').name).toBe(
      'verb:say{text=Your • codes...}',
    )
    expect(without('leave_out', 'nested:say{text=Your 2 codes...}').name).toBe('nested:say{}')
    expect(without('mask', 'dtmf:4', { dtmf: '4' })).toMatchObject({ name: 'dtmf:•' })
    expect(read(without('leave_out', 'dtmf:4', { dtmf: '4', channel: 1 }))).toMatchObject({
      dtmf: '•',
      channel: '1',
    })
  })

  it('tells the same prompt of a call from others, and of no other call', () => {
    const saidAs = (text: string, words: Redacted, traceId = TRACE_ID, key = 'key') =>
      read(spanWithoutWords({ ...spanOf(`verb:say{text=${text}}`), traceId }, words, key))[
        'switchroom.said'
      ]
    for (const words of BOTH) {
      expect(saidAs('Code 4', words)).toBe(saidAs('Code 4', words))
      expect(saidAs('Code 4', words)).not.toBe(saidAs('Code 5', words))
      expect(saidAs('Code 4', words)).not.toBe(saidAs('Code 4', words, 'cd'.repeat(16)))
      expect(saidAs('Code 4', words)).not.toBe(saidAs('Code 4', words, TRACE_ID, 'other'))
    }
    expect(saidAs('Code', 'mask')).toBeUndefined()
  })

  // texts of which all with all would take longer than a test may
  it.each(BOTH)('may be of any size: %s', (words) => {
    const deep = `${'['.repeat(200_000)}"${CARD}"${']'.repeat(200_000)}`
    const wide = JSON.stringify(
      Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, CARD])),
    )
    for (const text of [
      deep,
      wide,
      '{'.repeat(500_000),
      'a@'.repeat(250_000),
      '\\u0034'.repeat(80_000),
      '漢字٤'.repeat(160_000),
    ])
      for (const key of [
        'http.body',
        'stt.result',
        'dial.target',
        'app.tasks',
        'verb.summary',
        'hook.url',
        'x',
      ]) {
        const redacted = JSON.stringify(
          without(words, `verb:say{text=${text.slice(0, 1_000)}`, {
            [key]: key === 'hook.url' ? `?${text}` : text,
          }),
        )
        expect(redacted).not.toContain(CARD.slice(0, 10))
      }
  })
})

/** A conversation without words, and without findings that quote. */
function timesOf({ words: _, entries, findings, ...rest }: Conversation) {
  return {
    ...rest,
    findings: findings.map(({ tone, entry }) => ({ tone, entry })),
    entries: entries.map((entry) =>
      entry.kind === 'event'
        ? { ...entry, text: null }
        : {
            ...entry,
            ...(entry.kind === 'said' && { is_cut: null, url: null }),
            text: null,
            transcript: null,
            digits: null,
            error: null,
          },
    ),
  }
}
