import type { ModelTurn } from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import { modelFacts, whoOf } from './conversation-text'
import { costText, modelEvent, modelWords } from './model-text'

const turn = (more: Partial<ModelTurn>): ModelTurn => ({
  ...{ kind: 'model', at: 1_000, end: null, what: 'words', side: 'model', text: null },
  ...{ tool: null, tokens: null, cost: null, is_interrupted: false },
  ...more,
})
const tool = { name: 'pay', arguments: null, result: null, has_failed: false }

describe('a turn of a model session', () => {
  it('says who it is of, and what it used and cost', () => {
    const said = turn({
      text: 'Hello',
      tokens: { input: 1_200, cached: 64, output: 30 },
      cost: { amount: 0.00123, currency: 'EUR' },
    })
    expect([whoOf(said), modelWords(said), modelEvent(said)]).toEqual(['Model', 'Hello', undefined])
    expect(modelFacts(said)).toEqual([...['Tokens: 1,200 in (64 cached), 30 out', 'Cost: €0.0012']])
    expect(whoOf(turn({ side: 'caller' }))).toBe('Caller')
  })

  it('says how long a tool took, or that nothing came of it', () => {
    const called = turn({ what: 'tool', tool, end: 1_450 })
    expect([modelWords(called), ...modelFacts(called)]).toEqual(['Tool pay', 'Result after 450 ms'])
    const failed = turn({ what: 'tool', tool: { ...tool, has_failed: true } })
    expect(modelFacts(failed)).toEqual(['No result was sent', 'The tool failed'])
  })

  it.each<[Partial<ModelTurn>, string]>([
    [{ what: 'interruption' }, 'The caller interrupted the model.'],
    [{ what: 'error', text: 'gone' }, 'The model reported an error: gone'],
    [{ what: 'error' }, 'The model reported an error.'],
    [{ what: 'other', text: 'x.y' }, 'Event x.y of the model'],
    [{ what: 'usage' }, 'The model reported its use.'],
  ])('is a sentence if nobody speaks: %j', (more, text) => {
    expect(modelEvent(turn(more))?.text).toBe(text)
    expect(whoOf(turn(more))).toBeUndefined()
  })

  it('has amounts with the digits that tell them apart', () => {
    const texts = [0, 0.0000123, 0.5, 1, 12.345].map((amount) =>
      costText({ amount, currency: 'USD' }),
    )
    expect(texts).toEqual(['$0.00', '$0.000012', '$0.50', '$1.00', '$12.35'])
  })
})
