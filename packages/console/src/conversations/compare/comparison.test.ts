import type { Call, Conversation } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { differs, rowsOf } from './comparison'
import { conversation, event, heard, recorded, response, said } from './conversation-fixtures'
import { differencesOf } from './differences'
import { recordsDiffer, summaryOf } from './summary'

const textsOf = (...entries: Parameters<typeof differencesOf>) =>
  differencesOf(...entries).map(({ text }) => text)

const quick = response([
  { part: 'recognition', ms: 300 },
  { part: 'webhook', ms: 400 },
  { part: 'voice', ms: 200 },
])
const slow = response([
  { part: 'recognition', ms: 400 },
  { part: 'webhook', ms: 2_000 },
  { part: 'voice', ms: 300 },
])

const good = conversation(
  [
    said('For how many people?', { vendor: 'google', voice: 'Anna', cached: true }),
    heard('four', { confidence: 0.91, vendor: 'deepgram', response: quick }),
    said('And for which day?', { vendor: 'google', voice: 'Anna', cached: false }),
    heard('Saturday', { confidence: 0.88, vendor: 'deepgram', response: quick }),
    event('Called “15550001”. They answered after 2.1 s, and were connected for 12 s.'),
    event('The application hung up.'),
  ],
  { hung_up_by: 'application' },
)

const sentencesOf = (a: Conversation, b: Conversation) =>
  summaryOf(rowsOf(a, b), a, b).map(({ text }) => text)

it('finds no difference between a call and itself', () => {
  expect(rowsOf(good, good).filter(differs)).toEqual([])
  expect(sentencesOf(good, good)).toEqual([
    'No differences: the same steps, with similar response times.',
  ])
})

it('shows one conversation alone, without differences', () => {
  for (const rows of [rowsOf(good, undefined), rowsOf(undefined, good)]) {
    expect(rows).toHaveLength(6)
    expect(rows.filter(differs)).toEqual([])
  }
  expect(rowsOf(undefined, undefined)).toEqual([])
})

it('takes other words in a recording for a detail', () => {
  const [a, b] = [recorded('It comes on Monday.'), recorded('Nobody is at home.')]
  expect(textsOf(a, a)).toEqual([])
  expect(differencesOf(a, b)).toEqual([{ kind: 'detail', text: 'Different words' }])
  // callers say what they like
  expect(textsOf({ ...a, side: 'caller' }, { ...b, side: 'caller' })).toEqual([])
})

it('takes no words for missing in a call whose recording nobody listened to', () => {
  const transcribed = { vendor: 'google', language: 'en-US' }
  const entries = [...good.entries, recorded('One moment.')]
  const told = conversation(entries, { hung_up_by: 'application', transcribed })
  expect(sentencesOf(told, good)).toEqual(sentencesOf(good, good))
  expect(sentencesOf(good, told)).toEqual(sentencesOf(good, good))
  expect(sentencesOf(told, { ...good, transcribed })).toEqual([
    'The calls first diverge at 0:06 in call A, with a step that call B does not have.',
  ])
})

it('says by how much a turn is slower, and for what', () => {
  const [a, b] = [heard('four', { response: quick }), heard('four', { response: slow })]
  expect(textsOf(a, b)).toEqual(['Call B answered 1.80 s later: 1.60 s more for the webhook'])
  expect(textsOf(b, a)).toEqual(['Call A answered 1.80 s later: 1.60 s more for the webhook'])
  expect(differencesOf(b, a)[0]?.later).toBe(-1_800)
})

it('names no part that does not explain at least half of it', () =>
  expect(
    textsOf(
      heard('yes', { response: quick }),
      heard('yes', {
        response: response([
          { part: 'recognition', ms: 500 },
          { part: 'webhook', ms: 600 },
          { part: 'voice', ms: 400 },
        ]),
      }),
    ),
  ).toEqual(['Call B answered 600 ms later']))

it.each([
  // what nobody feels
  [{ parts: [{ part: 'webhook' as const, ms: 1_099 }] }],
  // counted from another point, or to one that is not known
  [{ ...slow, since: 'result' as const }],
  [{ ...slow, until: 'unknown' as const, ms: null }],
])('compares no response times %#', (more) =>
  expect(
    textsOf(
      heard('yes', { response: quick }),
      heard('yes', { response: response(slow.parts, more) }),
    ),
  ).toEqual([]),
)

it('says that only one caller did not wait', () => {
  const gone = response(slow.parts, { until: 'hangup' })
  const [a, b] = [heard('yes', { response: quick }), heard('yes', { response: gone })]
  expect(textsOf(a, b)).toEqual(['Only call B ended before an answer'])
  expect(textsOf(b, b)).toEqual([])
})

it('says what was understood', () => {
  expect(textsOf(heard('four', { confidence: 0.91 }), heard(null, { outcome: 'nothing' }))).toEqual(
    ['Understood only in call A'],
  )
  expect(textsOf(heard(null, { outcome: 'error' }), heard(null, { outcome: 'nothing' }))).toEqual([
    'Different outcome',
  ])
  expect(
    textsOf(
      heard('four', { confidence: 0.91, vendor: 'google' }),
      heard('for', { confidence: 0.8, vendor: 'deepgram', asked_again: true }),
    ),
  ).toEqual([
    'Confidence: 91 % in call A, 80 % in call B',
    'Asked again only in call B',
    'Speech recognition: google in call A, deepgram in call B',
  ])
  const keys = (digits: string) => heard(null, { outcome: 'digits', digits })
  expect(textsOf(keys('1'), keys('2'))).toEqual(['Different keys pressed'])
  // as view-only users read them
  expect(textsOf(keys('••••'), keys('••••'))).toEqual([])
})

it('says what the application did otherwise', () => {
  expect(textsOf(said('Hello Anna, welcome'), said('Hello Bob, welcome'))).toEqual([])
  expect(
    textsOf(
      said('Which day?', { cached: true, voice: 'Anna', is_interrupted: false }),
      said('Goodbye and thank you.', {
        cached: false,
        voice: 'Matthew',
        is_interrupted: true,
        failed: [{ vendor: 'google', ms: 500 }],
      }),
    ),
  ).toEqual([
    'Different prompts',
    'Interrupted only in call B',
    'A voice failed only in call B',
    'From the cache only in call A',
    'Voice: Anna in call A, Matthew in call B',
  ])
})

it('tells events apart, but not by times and by whom they are about', () => {
  const busy = event('Called “15550001”. They were busy after 2.1 s.')
  const other = event('Called “ann@sip.example”. They were busy after 12 s.')
  expect(textsOf(busy, other)).toEqual([])
  expect(textsOf(good.entries[4]!, busy)).toEqual(['Different outcome'])
})

it('sums up where calls part, what is slower, and how they end', () => {
  const bad = conversation(
    [
      good.entries[0]!,
      heard('four', { confidence: 0.91, vendor: 'deepgram', response: slow }),
      said('Sorry, say that again.'),
      heard('four', { confidence: 0.9, vendor: 'deepgram', response: quick }),
      good.entries[2]!,
      heard('Saturday', {
        confidence: 0.9,
        vendor: 'deepgram',
        response: response([...quick.parts, { part: 'pause', ms: 300 }]),
      }),
      event('Called “15550001”. They were busy after 2.1 s.'),
      event('The caller hung up.'),
    ],
    { hung_up_by: 'caller' },
  )
  expect(summaryOf(rowsOf(good, bad), good, bad)).toEqual([
    {
      text: 'The calls first diverge at 0:02 in call B, with a step that call A does not have.',
      row: 2,
    },
    {
      text: 'Call B answered 1.80 s later: 1.60 s more for the webhook. This is the largest difference in response time.',
      row: 1,
    },
    { text: 'Answered later: 0 in call A, 2 in call B.', row: null },
    { text: 'The application ended call A, the caller ended call B.', row: 7 },
  ])
})

it('says how they part where both have the step', () => {
  const other = { ...good, entries: good.entries.with(4, event('Called “15550001”. It failed.')) }
  expect(sentencesOf(good, other)).toEqual([
    'The calls first diverge at 0:04 in call A and 0:00 in call B. Different outcome.',
  ])
})

it('says that only details differ', () => {
  const other = {
    ...good,
    entries: good.entries.with(
      1,
      heard('four', { confidence: 0.7, vendor: 'deepgram', response: quick }),
    ),
  }
  expect(summaryOf(rowsOf(good, other), good, other)).toEqual([
    { text: 'Both calls have the same steps. Only details differ.', row: 1 },
  ])
})

it('says the same of a setting once', () => {
  const of = (voice: string) =>
    conversation([said('One.', { voice }), said('Two.', { voice }), said('Three.', { voice })])
  const rows = rowsOf(of('Anna'), of('Matthew'))
  expect(rows.map(({ differences }) => differences.length)).toEqual([1, 0, 0])
  expect(sentencesOf(of('Anna'), of('Matthew'))).toEqual([
    'Voice: Anna in call A, Matthew in call B.',
  ])
})

it('says that calls are of two applications, or were not both answered', () => {
  const call = { application_sid: 'x', answered: true, sip_status: 200 } as Call
  expect(recordsDiffer(call, call)).toEqual([])
  expect(
    recordsDiffer(call, { ...call, application_sid: 'y', answered: false, sip_status: 486 }),
  ).toEqual([
    { text: 'The calls use different applications.', row: null },
    { text: 'Call A: Answered. Call B: Busy (486).', row: null },
  ])
})
