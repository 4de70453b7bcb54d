import { expect, it } from 'vitest'
import { applicationAt, playRun } from '../../../test/runs.ts'
import { ack, socketApplication } from '../../../test/stand-ins/voice-applications.ts'

it('loses the call when it does not acknowledge the new connection', async () => {
  const app = await socketApplication((message, ws) => {
    if (message.type === 'session:new')
      ack(ws, message, [
        { verb: 'gather', input: ['digits'], timeout: 0, numDigits: 1, actionHook: '/drop' },
      ])
    else if (message.hook === '/drop') ws.terminate()
  })
  // enough for the first message, also on a busy machine
  const run = await playRun(applicationAt(app.url), [{ kind: 'digits', digits: '1' }], {
    limits: { ack_ms: 2_000, silence_ms: 20_000 },
  })
  expect(run.ended).toMatchObject({ by: 'platform', is_answered: true })
  expect(run.events.join()).toContain('did not acknowledge the new connection')
  await app.close()
})
