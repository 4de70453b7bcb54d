import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { expectNoErrors, logInByForm, openPage, reportFailures } from './browser.ts'
import { api, fetchToken, startSwitchroom } from './harness.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = async (env: Record<string, string | undefined>, ...args: string[]) => {
  const script = ['scripts/carry-over.ts', ...args]
  return (await promisify(execFile)(process.execPath, script, { cwd: root, env })).stdout
}

/** What somebody enters on SQLite before there is a platform. */
async function enter(url: string) {
  const token = await fetchToken(url)
  const [provider] = await api<{ service_provider_sid: string }[]>(
    url,
    token,
    'GET',
    '/ServiceProviders',
  )
  const { service_provider_sid } = provider!
  const { sid: account_sid } = await api<{ sid: string }>(url, token, 'POST', '/Accounts', {
    name: 'Aldermoor',
    service_provider_sid,
  })
  const hook = { url: 'https://example.com/call', method: 'POST' }
  await api(url, token, 'POST', '/Applications', {
    ...{ name: 'Reception', account_sid, call_hook: hook, call_status_hook: hook },
    env_vars: { greeting: 'Good morning' },
  })
  await api(url, token, 'POST', '/Users', {
    ...{ name: 'priya', email: 'priya@example.com', initial_password: 'Correct-horse-2' },
    ...{ is_active: 1, force_change: false, account_sid, service_provider_sid },
  })
}

describe.skipIf(!process.env.TEST_MYSQL_URL)('what was entered on SQLite', () => {
  it('is there, and people log in as before, once it is carried over to the platform', async () => {
    const old = await startSwitchroom('sqlite', {}, { providers: 1 })
    await enter(old.url)
    await old.kill('SIGTERM')
    const there = await startSwitchroom('mysql', {
      JWT_SECRET: 'a secret of the platform, as it was',
    })
    const env = { ...there.env, CARRY_OVER_SECRET: old.env.JWT_SECRET }
    const from = ['--from', old.env.SWITCHROOM_DATA]
    const plan = await run(env, ...from)
    expect(plan).toMatch(/1 applications/)
    expect(plan).toMatch('Nothing was written yet.')
    expect(await run(env, ...from, '--apply')).toMatch(/^Added:/m)
    expect(await run(env, ...from)).toMatch('Everything is there already.')

    const page = await openPage()
    await reportFailures(page, 'carry-over', async () => {
      await logInByForm(page, there.url, 'priya', 'Correct-horse-2')
      await page.goto(`${there.url}/internal/applications`)
      await page.getByRole('link', { name: 'Reception' }).first().click()
      await page.getByRole('heading', { name: 'Reception' }).waitFor()
      expectNoErrors(page)
    })
    const token = await fetchToken(there.url)
    const [application] = await api<{ env_vars: object }[]>(
      there.url,
      token,
      'GET',
      '/Applications',
    )
    // who cannot decrypt them does not know their names
    expect(Object.keys(application!.env_vars)).toEqual(['greeting'])
    await Promise.all([old.stop(), there.stop()])
  })
})
