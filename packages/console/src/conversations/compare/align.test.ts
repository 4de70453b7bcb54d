import { expect, it, vi } from 'vitest'
import { align } from './align'
import { event, heard, recorded, said } from './conversation-fixtures'
import { worthOf } from './likeness'

/** Pairs as `a-b`, with a dot for the side that lacks the step. */
const pairsOf = (...calls: Parameters<typeof align>) =>
  align(...calls).map(({ a, b }) => `${a ?? '.'}-${b ?? '.'}`)

const call = [
  said('Welcome. For how many people?'),
  heard('four'),
  said('And for which day?'),
  heard('Saturday'),
  said('Thank you, goodbye.'),
  event('The application hung up.'),
]

it('puts the steps of the same call beside each other', () =>
  expect(pairsOf(call, call)).toEqual(['0-0', '1-1', '2-2', '3-3', '4-4', '5-5']))

it('leaves a gap where only one call has a turn', () =>
  expect(
    pairsOf(call, call.toSpliced(2, 0, said('Sorry, I did not get that.'), heard('for'))),
  ).toEqual(['0-0', '1-1', '.-2', '.-3', '2-4', '3-5', '4-6', '5-7']))

it('knows a prompt by its words, whatever names and numbers are in it', () =>
  expect(
    pairsOf(
      [said('Hello Anna, welcome'), heard('hi'), said('Your code is 4711.'), heard('thanks')],
      [
        said('Please hold the line.'),
        said('Hello Christopher, welcome'),
        heard('hi'),
        said('Your code is 88 12.'),
        heard('ok'),
      ],
    ),
  ).toEqual(['.-0', '0-1', '1-2', '2-3', '3-4']))

it('knows prompts that the trace cut before half a word', () =>
  expect(
    pairsOf(
      [said('Hello Anna, wel', { is_cut: true }), heard('hi')],
      [said('Wait'), said('Hello Bob, welco', { is_cut: true }), heard('hi')],
    ),
  ).toEqual(['.-0', '0-1', '1-2']))

it('goes by the order where nothing is the same', () =>
  expect(
    pairsOf(
      [said('Book a table?'), heard('yes'), said('What day?')],
      [said('Where are you?'), heard('at home'), said('Bring it back.')],
    ),
  ).toEqual(['0-0', '1-1', '2-2']))

it('puts a different end beside the other', () =>
  expect(pairsOf(call.slice(0, 2), [...call.slice(0, 2), event('The caller hung up.')])).toEqual([
    '0-0',
    '1-1',
    '.-2',
  ]))

it('puts no event beside one of another kind, and nobody beside somebody else', () => {
  expect(pairsOf([event('Recording began.')], [event('Called “15550001”.')])).toEqual([
    '0-.',
    '.-0',
  ])
  expect(pairsOf([heard('yes')], [heard('yes', { side: 'called' })])).toEqual(['0-.', '.-0'])
})

it('tells sounds by their file', () =>
  expect(
    pairsOf(
      [said(null, { url: 'https://x.example/a.mp3' }), heard('1')],
      [
        said(null, { url: 'https://x.example/b.mp3' }),
        said(null, { url: 'https://x.example/a.mp3' }),
        heard('1'),
      ],
    ),
  ).toEqual(['.-0', '0-1', '1-2']))

it('puts what only recordings have beside each other by side and words', () =>
  expect(
    pairsOf(
      [recorded('Hello', { side: 'caller' }), recorded('Your parcel comes on Monday.')],
      [
        recorded('Who is there?'),
        recorded('Hi there', { side: 'caller' }),
        recorded('Your parcel comes on Friday.'),
      ],
    ),
  ).toEqual(['.-0', '0-1', '1-2']))

it('puts all of a call beside nothing', () => {
  expect(pairsOf([], [])).toEqual([])
  expect(pairsOf(call.slice(0, 2), [])).toEqual(['0-.', '1-.'])
  expect(pairsOf([], call.slice(0, 2))).toEqual(['.-0', '.-1'])
})

it('aligns 2,000 turns of unlike words without comparing each with each, each entry once and in order', () => {
  const word = (n: number) => [...String(n % 997)].map((digit) => 'abcdefghij'[+digit]).join('')
  const words = (seed: number) =>
    Array.from({ length: 12 }, (_, i) => word(seed * 7_919 + i * 104_729)).join(' ')
  const turns = (seed: number) =>
    Array.from({ length: 2_000 }, (_, i) => [said(words(seed + i)), heard('yes')]).flat()
  const compared = vi.fn(worthOf)
  // ten turns further on, as if the first ten were missing
  const pairs = align(turns(0), turns(10), compared)
  // one window, then pairs that match at once; each with each would be 16 million
  expect(compared.mock.calls.length).toBeLessThan(65_000)
  for (const side of ['a', 'b'] as const)
    expect(pairs.map((pair) => pair[side]).filter((index) => index !== null)).toEqual(
      Array.from({ length: 4_000 }, (_, i) => i),
    )
  expect(pairs.filter(({ a, b }) => a !== null && b !== null && a === b + 20).length).toBe(3_980)
})
