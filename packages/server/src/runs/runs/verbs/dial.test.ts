import type { Answer } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isNext, verbApplication } from '../../../../test/runs.ts'

let app: Awaited<ReturnType<typeof verbApplication>>
beforeEach(async () => {
  app = await verbApplication()
})
afterEach(() => app.close())

describe('dial', () => {
  const dial = (more: object = {}) => ({
    verb: 'dial',
    actionHook: '/hook',
    target: [{ type: 'phone', number: '+4930123' }],
    ...more,
  })

  it('asks who answers, and posts what came of it', async () => {
    const run = await app.play(
      [
        dial({
          timeLimit: 30,
          answerOnBridge: true,
          callerId: '+49111',
          target: [
            { type: 'phone', number: '+4930123' },
            { type: 'phone', number: '+4930123' },
            { type: 'user', name: 'bob@acme.example' },
            { type: 'sip', sipUri: 'sip:x@y.example' },
            { type: 'teams', number: '+4940' },
          ],
        }),
      ],
      [{ kind: 'answered', seconds: 90, target: 1 }],
    )
    expect(run.asked[0]!.targets).toEqual([
      { type: 'phone', to: '+4930123' },
      { type: 'user', to: 'bob@acme.example' },
      { type: 'sip', to: 'sip:x@y.example' },
      { type: 'teams', to: '+4940' },
    ])
    const bob = app.at('/status').filter((body) => body.to === 'bob@acme.example')
    expect(bob.map((body) => body.call_status)).toEqual([
      'trying',
      'ringing',
      'in-progress',
      'completed',
    ])
    expect(bob.at(-1)).toMatchObject({
      from: '+49111',
      caller_id: '+49111',
      duration: 30,
      direction: 'outbound',
    })
    expect(app.posted()).toMatchObject({
      dial_call_status: 'completed',
      dial_sip_status: 200,
      dial_call_sid: bob[0].call_sid,
      call_status: 'in-progress',
    })
    const order = app.requests.map(({ body }) => body.call_status)
    // the caller is answered once somebody is there
    expect(order.indexOf('in-progress')).toBeGreaterThan(order.indexOf('ringing'))
    expect(isNext(run)).toBe(true)
  })

  it.each([
    [{ kind: 'busy' }, 'busy', 486],
    [{ kind: 'no_answer' }, 'no-answer', 487],
    [{ kind: 'failed', status: 503 }, 'failed', 503],
    [{ kind: 'failed' }, 'failed', 404],
  ] satisfies [Answer, string, number][])('posts %j as %s', async (answer, status, sip_status) => {
    const run = await app.play([dial()], [answer])
    expect(app.posted()).toMatchObject({ dial_call_status: status, dial_sip_status: sip_status })
    expect(isNext(run)).toBe(true)
  })

  it('posts its hook also when the caller hung up', async () => {
    app.answers['/hook'] = [{ verb: 'say', text: 'too late' }]
    const run = await app.play([dial()], [{ kind: 'answered', ended_by: 'caller' }])
    expect(app.posted()).toMatchObject({ dial_call_status: 'completed', call_status: 'completed' })
    expect(run.said).toEqual([])
    expect(run.ended.by).toBe('caller')
    const gone = await app.play([dial()], [{ kind: 'hang_up' }])
    expect(app.posted()).toMatchObject({ dial_call_status: 'no-answer' })
    expect(gone.ended.by).toBe('caller')
  })

  it('lets the called party confirm', async () => {
    app.answers['/confirm'] = [
      { verb: 'gather', numDigits: 1, actionHook: '/accept', say: { text: 'Press 1 to accept' } },
    ]
    const accepted = await app.play(
      [dial({ confirmHook: '/confirm' })],
      [{ kind: 'answered' }, { kind: 'digits', digits: '1' }],
    )
    expect(app.requests.find(({ path }) => path === '/confirm')!.headers).not.toHaveProperty('b3')
    expect(app.posted('/confirm')).toMatchObject({
      direction: 'outbound',
      to: '+4930123',
      parent_call_sid: expect.any(String),
    })
    expect(app.posted('/accept')).toMatchObject({
      digits: '1',
      call_sid: app.posted('/confirm').call_sid,
    })
    expect(accepted.of('said')[0]).toMatchObject({ side: 'called', text: 'Press 1 to accept' })
    expect(accepted.asked[1]).toMatchObject({ side: 'called' })
    expect(app.posted()).toMatchObject({ dial_call_status: 'completed' })

    const declined = await app.play(
      [dial({ confirmHook: '/confirm' }), { verb: 'gather', numDigits: 1, actionHook: '/caller' }],
      [{ kind: 'answered' }, { kind: 'hang_up' }, { kind: 'digits', digits: '5' }],
    )
    expect(app.posted()).toMatchObject({ dial_call_status: 'no-answer' })
    // it is the called party that hung up, not the caller
    expect(app.posted('/caller')).toMatchObject({ digits: '5', direction: 'inbound' })
    expect(isNext(declined)).toBe(true)
    app.answers['/confirm'] = 500
    await app.play([dial({ confirmHook: '/confirm' })], [{ kind: 'answered' }])
    expect(app.posted()).toMatchObject({ dial_call_status: 'no-answer' })
  })

  it('takes any verb in a confirmHook that an answered call can run', async () => {
    const list = [
      { verb: 'dtmf', dtmf: '1' },
      { verb: 'sip:request', method: 'INFO' },
      { verb: 'play', url: 'beep.wav', actionHook: '/played' },
      { verb: 'message', from: '1', to: '2', text: 'Hi' },
    ]
    app.answers['/confirm'] = list
    const taken = await app.play(
      [dial({ confirmHook: '/confirm' })],
      [{ kind: 'answered' }, { kind: 'status' }],
    )
    expect(app.posted()).toMatchObject({ dial_call_status: 'completed' })
    expect(taken.events.join()).not.toContain('not allowed')

    // before anything is played
    app.answers['/confirm'] = [...list, { verb: 'sip:decline', status: 486 }]
    const refused = await app.play([dial({ confirmHook: '/confirm' })], [{ kind: 'answered' }])
    expect(refused.events.join()).toContain('sip:decline is not allowed here')
    expect(refused.of('played')).toEqual([])
    expect(app.posted()).toMatchObject({ dial_call_status: 'no-answer' })

    // of its hooks, only some
    app.answers['/confirm'] = list
    app.answers['/played'] = [{ verb: 'play', url: 'never.wav' }]
    const inner = await app.play(
      [dial({ confirmHook: '/confirm' })],
      [{ kind: 'answered' }, { kind: 'status' }],
    )
    expect(inner.events.join()).toContain('play is not allowed here')
    expect(inner.of('played')).toHaveLength(1)
  })

  it('posts the hooks of a conversation', async () => {
    app.answers['/hold'] = [{ verb: 'play', url: 'hold.mp3', actionHook: '/never' }]
    const run = await app.play(
      [
        dial({
          dtmfCapture: { childCall: ['*2', '*3'] },
          dtmfHook: '/dtmf',
          onHoldHook: '/hold',
          referHook: '/refer',
          amd: { actionHook: '/amd' },
        }),
      ],
      [{ kind: 'answered', digits: '1*3', on_hold: true, transfer_to: '4711', by: 'machine' }],
    )
    expect(app.posted('/dtmf')).toMatchObject({ dtmf: '*3', direction: 'outbound' })
    expect(app.posted('/hold')).toMatchObject({
      hold_detail: { from: '+4930123', to: '15551230001' },
    })
    expect(run.of('played')).toMatchObject([{ url: 'hold.mp3' }])
    expect(app.at('/never')).toEqual([])
    expect(app.posted('/refer')).toMatchObject({ refer_details: { refer_to_user: '4711' } })
    expect(app.posted('/amd')).toMatchObject({ type: 'amd_machine_detected' })
  })
})
