import { api } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { applicationAt, hook, LOCAL, PASSWORD, playRun, SECRET } from '../../../test/runs.ts'
import { httpApplication } from '../../../test/stand-ins/voice-applications.ts'
import { loggedRun } from './logged-run.ts'

let t: TestApp
let app: Awaited<ReturnType<typeof httpApplication>>
beforeEach(async () => {
  app = await httpApplication(() => [{ verb: 'say', text: PASSWORD }])
  t = await testApp({}, LOCAL)
})
afterEach(async () => {
  await t.close()
  await app.close()
})

it('logs the requests of a run for the account, without secrets', async () => {
  const application = applicationAt(null, {
    account_sid: t.sids.a1,
    service_provider_sid: t.sids.sp1,
    call_hook: hook(`${app.url}/call`, { username: 'u', password: PASSWORD }),
  })
  const run = await playRun(application, [], { outbound: loggedRun(t.ctx, application) })
  expect(run.ended.by).toBe('application')
  await t.ctx.memory.webhookLog.latest
  const { data } = await t.as('a1')(api.webhookRequests.list, { query: { page: 1, kind: 'run' } })
  expect(data).toMatchObject([
    { kind: 'run', application_sid: application.application_sid, outcome: 'accepted', status: 200 },
  ])
  const [{ webhook_request_sid } = { webhook_request_sid: '' }] = data
  const view = await t.as('a1')(api.webhookRequests.view, { params: { webhook_request_sid } })
  expect(JSON.stringify(view)).not.toContain(PASSWORD)
  expect(JSON.stringify(view)).not.toContain(SECRET)
  // its call is over
  await expect(
    t.as('a1')(api.webhookRequests.resend, { params: { webhook_request_sid } }),
  ).rejects.toThrow('cannot be sent again')
})
