import { expect, it } from 'vitest'
import { verbApplication } from '../../../test/runs.ts'
import type { HookAnswer } from '../../../test/stand-ins/voice-applications.ts'

it('gives up on an application that answers too late', async () => {
  const app = await verbApplication()
  const slow = (ms: number) => (response: { writeHead: (status: number) => { end: () => void } }) =>
    void setTimeout(() => response.writeHead(204).end(), ms)
  const gather = (delay: object) => ({
    verb: 'gather',
    actionHook: '/hook',
    actionHookDelayAction: { enabled: true, ...delay },
  })
  app.answers['/hook'] = slow(1_000) as HookAnswer
  const heard = await app.play(
    [gather({ noResponseTimeout: 0.05, actions: [{ verb: 'say', text: 'One moment' }] })],
    [{ kind: 'nothing' }],
  )
  expect(heard.said).toEqual(['One moment', 'next'])
  const patient = await app.play(
    [gather({ noResponseTimeout: 60, actions: [{ verb: 'say', text: 'One moment' }] })],
    [{ kind: 'nothing' }],
  )
  expect(patient.said).toEqual(['next'])
  const gone = await app.play([gather({ noResponseGiveUpTimeout: 0.05 })], [{ kind: 'nothing' }])
  expect(gone.ended).toMatchObject({ by: 'platform', x_reason: 'bot-action-delay-giveup' })
  await app.close()
})
