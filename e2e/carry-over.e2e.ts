import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, logInByForm, openPage, reportFailures } from './browser.ts'
import { api, fetchToken, startSwitchroom } from './harness.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = async (env: Record<string, string | undefined>, ...args: string[]) => {
  const script = ['scripts/carry-over.ts', ...args]
  return (await promisify(execFile)(process.execPath, script, { cwd: root, env })).stdout
}

/** Enters on SQLite what somebody has there before there is a platform. */
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

/** Tries the platform from the screen of the server that runs alone. */
async function connect(url: string, platform: Record<string, string | undefined>) {
  const page = await openPage()
  await reportFailures(page, 'connect', async () => {
    await logIn(page, url)
    await page.goto(`${url}/internal/getting-started`)
    await page.getByRole('button', { name: 'I have none yet' }).click()
    await page.getByRole('link', { name: 'docs.jambonz.org' }).waitFor()
    await page.getByRole('button', { name: 'Just look around' }).click()
    await page.getByText('npm run demo').waitFor()
    await page.getByRole('button', { name: 'Connect it' }).click()
    const dialog = page.getByRole('dialog', { name: 'Connect the platform' })
    const enter = (label: string, value: string | undefined) =>
      dialog.getByLabel(label, { exact: true }).fill(value ?? '')
    await enter('MySQL host', platform.JAMBONES_MYSQL_HOST)
    await enter('MySQL port', '9')
    await enter('MySQL user', platform.JAMBONES_MYSQL_USER)
    await enter('MySQL database', platform.JAMBONES_MYSQL_DATABASE)
    await enter('Redis host', platform.JAMBONES_REDIS_HOST)
    await enter('Redis port', platform.JAMBONES_REDIS_PORT)
    await enter('JWT secret', platform.JWT_SECRET)
    await dialog.getByRole('button', { name: 'Test connection' }).click()
    await dialog.getByText('Nothing listens at').waitFor()
    await expectAccessible(page, 'a platform that does not answer')
    await enter('MySQL port', platform.JAMBONES_MYSQL_PORT)
    await dialog.getByRole('button', { name: 'Test connection' }).click()
    await dialog.getByText('This server can run on that platform.').waitFor()
    await dialog.getByText(`JAMBONES_MYSQL_DATABASE=${platform.JAMBONES_MYSQL_DATABASE}`).waitFor()
    await expectNoSidewaysScroll(page, 'a platform that answers')
    await page.keyboard.press('Escape')
    expectNoErrors(page)
  })
}

describe.skipIf(!process.env.TEST_MYSQL_URL)('what was entered on SQLite', () => {
  it('is there, and people log in as before, once it is carried over to the platform', async () => {
    const old = await startSwitchroom('sqlite', {}, { providers: 1 })
    await enter(old.url)
    const there = await startSwitchroom('mysql', {
      JWT_SECRET: 'a secret of the platform, as it was',
    })
    await connect(old.url, there.env)
    await old.kill('SIGTERM')
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
