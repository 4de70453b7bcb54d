import { expect, it } from 'vitest'
import { applicationAt, hook, playRun } from '../../../test/runs.ts'
import { type HookAnswer, httpApplication } from '../../../test/stand-ins/voice-applications.ts'

it('waits for a status hook that hangs, but not on the run’s clock', async () => {
  const hangs = (() => {}) as HookAnswer
  const app = await httpApplication(({ path }) =>
    path === '/call' ? [{ verb: 'say', text: 'x' }] : hangs,
  )
  // what the first run loads takes time too
  await playRun(applicationAt(`${app.url}/call`))
  const run = await playRun(
    applicationAt(`${app.url}/call`, {
      call_status_hook: hook(`${app.url}/status#rc=1&rp=all`),
    }),
    [],
    { limits: { request_ms: 2_000 } },
  )
  expect(run.said).toEqual(['x'])
  // each status alone, sent twice, takes four seconds
  expect(run.ended.at).toBeLessThan(3_500)
  await app.close()
})
