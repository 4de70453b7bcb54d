import { expect, it } from 'vitest'
import { applicationAt, playRun } from '../../../test/runs.ts'
import { ack, command, socketApplication } from '../../../test/stand-ins/voice-applications.ts'

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

it.each([
  { verb: 'pause', length: 600 },
  { verb: 'say', text: 'as long as this '.repeat(500) },
])('meets the timers of the application where a call would, in $verb', async (long) => {
  const app = await socketApplication((message, ws) => {
    if (message.type === 'session:new') {
      ack(ws, message, [
        { verb: 'answer' },
        { verb: 'pause', length: 1 },
        { verb: 'play', url: 'one' },
        long,
        { verb: 'say', text: 'never' },
      ])
      setTimeout(
        () => command(ws, 'redirect', [{ verb: 'say', text: 'two' }, { verb: 'hangup' }]),
        4_000,
      )
    }
  })
  const run = await playRun(applicationAt(app.url), [], { limits: { lapse_ms: 60_000 } })
  const [one] = run.of('played')
  const two = run.of('said').at(-1)
  expect(two!.text).toBe('two')
  expect(run.said).not.toContain('never')
  expect(one!.at).toBeGreaterThanOrEqual(1_000)
  expect(two!.at).toBeGreaterThanOrEqual(3_000)
  expect(two!.at).toBeLessThan(60_000)
  // the pause and the sound are not the application's time, the part that it let pass of what came then is
  expect(two!.idle).toBe(2_000)
  await app.close()
})
