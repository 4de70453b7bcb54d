import type { RunStep } from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import type { Message } from '../../applications/language-model/chat.ts'
import { Refused } from '../../speech/protocol.ts'
import { scoresOf } from './score.ts'

const said = (text: string): RunStep => ({
  ...{ kind: 'said', at: 0, verb: 'say', side: 'caller', text, loop: 1 },
  ...{ vendor: null, language: null, voice: null, label: null },
})
const STEPS: RunStep[] = [
  said('<speak>Welcome to <emphasis>Acme</emphasis>, how may I help you?</speak>'),
  { kind: 'answered', at: 1, answer: { kind: 'speech', text: 'I’d like the opening hours' } },
  said('We open at nine.'),
  { kind: 'answered', at: 2, answer: { kind: 'digits', digits: '42' } },
  said('Bye'),
]
const CRITERIA = [
  { name: 'Politeness', description: 'Says please.' },
  { name: 'Brevity', description: '' },
]
const GOOD = { criterion: 1, score: 4, reason: 'It is friendly.', quote: 'how may I help you?' }

async function scored(answer: unknown, { budget = 100_000, steps = STEPS } = {}) {
  const asked: Message[][] = []
  const result = await scoresOf(
    steps,
    { goal: 'The hours.', criteria: CRITERIA },
    async (messages) => {
      asked.push([...messages])
      if (answer instanceof Error) throw answer
      return { text: typeof answer === 'string' ? answer : JSON.stringify(answer), tokens: 50 }
    },
    budget,
  )
  return { ...result, asked }
}
const first = async (more: object) => (await scored({ scores: [{ ...GOOD, ...more }] })).scores[0]!

describe('a score', () => {
  it('has a reason and what was said', async () => {
    const { scores, tokens, asked } = await scored({
      scores: [GOOD, { ...GOOD, criterion: 2, quote: '“We open at nine”' }],
    })
    expect(tokens).toBe(50)
    expect(scores).toEqual([
      {
        ...{ criterion: 'Politeness', score: 4, reason: 'It is friendly.' },
        ...{ quote: 'how may I help you?', refused: null },
      },
      expect.objectContaining({ criterion: 'Brevity', score: 4 }),
    ])
    expect(asked[0]![0]!.content).toContain('1. Politeness: Says please.\n2. Brevity\n')
    expect(asked[0]![1]!.content).toBe(
      'Application: Welcome to Acme , how may I help you?\nCaller: I’d like the opening hours\nApplication: We open at nine.\nCaller: (presses 42)\nApplication: Bye',
    )
  })

  it.each([
    ['in other letters', 'WE  OPEN at nine'],
    ['with another apostrophe', "I'd like the opening"],
    ['that is all of a line', 'bye!'],
    ['of the caller', 'presses 42'],
  ])('has a quote %s', async (_, quote) => {
    expect(await first({ quote })).toMatchObject({ score: 4, refused: null })
  })

  it.each([
    ['what nobody said', { quote: 'We close at five' }, /quotes what nobody said: “We close/],
    ['words of two lines', { quote: 'opening hours We open' }, /quotes what nobody said/],
    ['a few letters', { quote: 'open' }, /quotes what nobody said/],
    ['nothing', { quote: ' ' }, /without a quote/],
    ['punctuation', { quote: '"..."' }, /quotes what nobody said/],
  ])('is refused with a quote of %s', async (_, more, why) => {
    expect(await first(more)).toEqual({
      ...{ criterion: 'Politeness', score: null, reason: null, quote: null },
      refused: expect.stringMatching(why),
    })
  })

  it.each([
    [{ reason: '' }, /without a reason/],
    [{ reason: 7 }, /without a reason/],
    [{ score: 6 }, /from 1 to 5/],
    [{ score: 4.5 }, /from 1 to 5/],
    [{ score: '5' }, /from 1 to 5/],
    [{ criterion: 3 }, /no score for this/],
  ])('is refused with %j', async (more, why) => {
    expect((await first(more)).refused).toMatch(why)
  })

  it.each([
    ['garbage', 'Five stars!', /no score/],
    ['another object', { scores: 'good' }, /no score/],
    ['a failure', new Refused('the vendor answered 500'), /answered 500/],
  ])('is refused after %s', async (_, answer, why) => {
    const { scores } = await scored(answer)
    expect(scores.map(({ score }) => score)).toEqual([null, null])
    for (const { refused } of scores) expect(refused).toMatch(why)
  })

  it('costs nothing where no tokens are left, or nothing was said', async () => {
    const poor = await scored({ scores: [GOOD] }, { budget: 2_000 })
    const silent = await scored({ scores: [GOOD] }, { steps: [] })
    expect([poor.asked, silent.asked]).toEqual([[], []])
    expect(poor.scores[0]!.refused).toContain('Too few tokens')
    expect(silent.scores[0]!.refused).toContain('Nothing was said')
  })

  it('is of a conversation that is cut in its middle if it is long', async () => {
    const long = Array.from({ length: 500 }, (_, i) => said(`This is sentence number ${i}.`))
    const { asked } = await scored({ scores: [] }, { steps: long })
    const talk = asked[0]![1]!.content
    expect(talk.length).toBeLessThan(17_000)
    expect(talk).toMatch(/number 0\.[\s\S]*\[…\][\s\S]*number 499\.$/)
  })
})
