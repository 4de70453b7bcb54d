import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isNext, verbApplication } from '../../../../test/runs.ts'

let app: Awaited<ReturnType<typeof verbApplication>>
beforeEach(async () => {
  app = await verbApplication()
})
afterEach(() => app.close())

describe('gather', () => {
  const gather = (more: object) => ({ verb: 'gather', actionHook: '/hook', ...more })
  const both = ['digits', 'speech']

  it.each([
    [{ numDigits: 2 }, '123', { digits: '12', reason: 'dtmfDetected' }],
    [{ maxDigits: 2 }, '1', { reason: 'timeout' }],
    [{ finishOnKey: '#' }, '12#3', { digits: '12', reason: 'dtmfDetected' }],
    [{ minDigits: 2, maxDigits: 9 }, '12', { digits: '12', reason: 'dtmfDetected' }],
    [{ minDigits: 2, interDigitTimeout: 3 }, '1', { reason: 'timeout' }],
    [{}, '1', { reason: 'timeout' }],
  ])('with %j takes %s for %j', async (more, digits, result) => {
    await app.play([gather(more)], [{ kind: 'digits', digits }])
    expect(app.posted()).toMatchObject(result)
    expect('digits' in app.posted()).toBe('digits' in result)
  })

  it('posts low confidence, errors and partial results', async () => {
    const run = await app.play(
      [
        gather({
          input: both,
          recognizer: { vendor: 'mine', minConfidence: 0.5 },
          partialResultHook: '/part',
        }),
        gather({ input: both, id: 'g2', recognizer: { vendor: 'mine', minConfidence: 0.3 } }),
        gather({ input: both, id: 'g3' }),
        gather({ input: both }),
      ],
      [
        { kind: 'speech', text: 'yes', confidence: 0.4 },
        { kind: 'low_confidence', text: 'maybe' },
        { kind: 'low_confidence', text: 'perhaps' },
        { kind: 'error', details: 'no credentials' },
      ],
    )
    expect(app.at('/hook')).toMatchObject([
      {
        reason: 'stt-low-confidence',
        speech: { vendor: { name: 'mine' }, alternatives: [{ confidence: 0.4 }] },
      },
      {
        reason: 'stt-low-confidence',
        verb_id: 'g2',
        speech: { alternatives: [{ confidence: 0.15 }] },
      },
      // nothing says how certain it must be
      {
        reason: 'speechDetected',
        verb_id: 'g3',
        speech: { alternatives: [{ confidence: 0.2 }] },
      },
      { reason: 'error', details: 'no credentials' },
    ])
    expect(run.asked.map(({ answers }) => answers.includes('low_confidence'))).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(app.at('/part')).toMatchObject([{ speech: { is_final: false } }])
    expect(isNext(run)).toBe(true)
  })

  it('asks only for what it listens to', async () => {
    const run = await app.play([gather({ timeout: 0 })], [{ kind: 'speech', text: 'yes' }])
    expect(run.asked[0]).toMatchObject({ answers: ['digits', 'hang_up'], timeout_ms: null })
    expect(run.events.join()).toContain('does not fit')
    expect(run.ended.by).toBe('caller')
  })

  it('posts nothing when the caller hangs up', async () => {
    const run = await app.play([gather({})], [{ kind: 'hang_up', after_ms: 4_000 }])
    expect(app.at('/hook')).toEqual([])
    expect(run.ended).toMatchObject({ by: 'caller', is_answered: true })
    expect(app.posted('/status')).toMatchObject({
      call_status: 'completed',
      duration: 4,
      call_termination_by: 'caller',
    })
  })

  it('listens in the background while config says so', async () => {
    const run = await app.play(
      [
        { verb: 'config', bargeIn: { enable: true, input: ['speech'], actionHook: '/hook' } },
        { verb: 'say', text: 'one' },
        { verb: 'say', text: 'two' },
      ],
      [{ kind: 'nothing' }, { kind: 'speech', text: 'stop' }],
    )
    expect(app.posted()).toMatchObject({ reason: 'speechDetected' })
    expect(run.said).toEqual(['one', 'two', 'next'])
    app.answers['/hook'] = [{ verb: 'say', text: 'stopped' }]
    const replaced = await app.play(
      [
        { verb: 'config', bargeIn: { enable: true, input: ['speech'], actionHook: '/hook' } },
        { verb: 'say', text: 'one' },
      ],
      [{ kind: 'speech', text: 'stop' }],
    )
    expect(replaced.said).toEqual(['one', 'stopped'])
  })
})
