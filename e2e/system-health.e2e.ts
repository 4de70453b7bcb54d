import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import {
  expectNoErrors,
  expectToast,
  logIn,
  openPage,
  openScreen,
  reportFailures,
} from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'
import { redis } from './redis.ts'
import { ACCOUNT } from './screens.ts'

/** A way to Redis that can be cut and opened again. */
async function startWay(to: { hostname: string; port: string }) {
  const port = await freePort()
  const sockets = new Set<Socket>()
  const pipe = (client: Socket) => {
    const server = connect(Number(to.port), to.hostname)
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
      one.pipe(other)
    }
  }
  let way = createServer(pipe)
  const open = () => new Promise<void>((done) => way.listen(port, '127.0.0.1', () => done()))
  await open()
  return {
    port: String(port),
    cut() {
      way.close()
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    },
    async open() {
      way = createServer(pipe)
      await open()
    },
  }
}

it.runIf(redis)('says in words that Redis is down, and when it is back', async () => {
  const way = await startWay(redis!)
  const server = await startSwitchroom('sqlite', {
    JAMBONES_REDIS_HOST: '127.0.0.1',
    JAMBONES_REDIS_PORT: way.port,
  })
  const page = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
  let logged = 0
  try {
    await reportFailures(page, 'system-health', async () => {
      await page.clock.install()
      await logIn(page, server.url)
      await openScreen(page, 'Settings', 'System health')
      const overall = page.getByRole('main').getByRole('status').first()
      await overall.getByText('All parts OK').waitFor()
      const row = (group: string, part: string) =>
        page
          .getByRole('region', { name: group })
          .getByRole('listitem')
          .filter({ has: page.getByText(part, { exact: true }) })
      await row('Data', 'Redis')
        .getByText(/Answers in \d+ ms/)
        .waitFor()
      await row('This server', 'Memory').getByText('OK').waitFor()
      await page.getByText(/^No backups are scheduled: set SWITCHROOM_BACKUP_TO/).waitFor()
      expect(await page.getByRole('button', { name: 'Back up now' }).count()).toBe(0)
      await page.getByRole('link', { name: 'Run doctor' }).click()
      const findings = page.getByRole('region', { name: 'Needs attention' })
      await findings.getByText(/^No backups are scheduled\./).waitFor()
      await findings.getByText(/To fix it: Set SWITCHROOM_BACKUP_TO/).waitFor()
      await page.getByText(/^This server listens at/).waitFor()
      await expectAccessible(page, 'doctor')
      await expectNoSidewaysScroll(page, 'doctor')
      await page.getByRole('button', { name: 'Copy as text' }).click()
      await expectToast(page, 'Report copied to clipboard')
      const copied = await page.evaluate(() => navigator.clipboard.readText())
      expect(copied).toMatch(/^WARNING {2}Backups$/m)
      await page.getByRole('button', { name: 'Run again' }).press('Enter')
      await page.getByRole('button', { name: 'Run again' }).waitFor()
      await page
        .getByRole('navigation', { name: 'Breadcrumb' })
        .getByRole('link', { name: 'System health' })
        .click()
      await overall.getByText('All parts OK').waitFor()

      logged = server.log().length
      way.cut()
      await expect.poll(async () => (await fetch(`${server.url}/ready`)).status).toBe(503)
      // the page looks by itself every ten seconds
      await page.clock.runFor(12_000)
      const attention = row('Needs attention', 'Redis')
      await attention.getByText('Failing').waitFor()
      await page.getByText('The latest state cannot be loaded.').waitFor()
      const ready = await fetch(`${server.url}/ready`)
      expect([ready.status, await ready.json()]).toMatchObject([503, { failing: ['redis'] }])
      await expectAccessible(page, 'system health without Redis')
      await expectNoSidewaysScroll(page, 'system health without Redis')

      await way.open()
      await overall.getByText('All parts OK').waitFor()
      await row('Data', 'Redis')
        .getByText(/Last error just now: ./)
        .waitFor()
      await page.getByRole('button', { name: 'Check now' }).click()
      await page.getByRole('button', { name: 'Check now' }).waitFor()
      expect((await fetch(`${server.url}/ready`)).status).toBe(200)
    })
  } finally {
    await page.context().close()
    await server.stop()
    way.cut()
  }
  const linesOf = (log: string) =>
    log
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
      .filter(({ part }) => part === 'redis')
  const isDown = ({ level }: { level: number }) => level >= 40
  const before = linesOf(server.log().slice(0, logged)).filter(isDown)
  const lines = linesOf(server.log().slice(logged))
  const down = lines.filter(isDown)
  // one line when it went down, one when it was back; on a busy machine it may not have answered shortly before, and
  // the line about that stands for both
  expect(down.length).toBeLessThanOrEqual(1)
  expect(before.length + down.length).toBeGreaterThan(0)
  expect(lines.filter(({ msg }) => msg === 'Redis: ok again')).toHaveLength(1)
})

it.each(databasesFor('system-health'))(
  'makes a backup now, lists it, and says why one failed, on %s',
  async (database) => {
    const folder = mkdtempSync(join(tmpdir(), 'switchroom-backups-'))
    const to = join(folder, 'backups')
    const server = await startSwitchroom(database, {
      SWITCHROOM_BACKUP_TO: to,
      SWITCHROOM_BACKUP_PASSPHRASE: 'canary horse battery',
    })
    const page = await openPage()
    try {
      await reportFailures(page, 'backups', async () => {
        await logIn(page, server.url)
        await openScreen(page, 'Settings', 'System health')
        const section = page.getByRole('region', { name: 'Backups' })
        await section.getByText(`Daily at 03:00, server time, to ${to}.`).waitFor()
        const dump = section.getByText('mariadb-dump --single-transaction')
        expect(await dump.count()).toBe(database === 'mysql' ? 1 : 0)
        // the first one is made when the server starts
        const rows = section.getByRole('row', { name: 'Verified, encrypted' })
        await rows.first().waitFor()
        expect(await rows.count()).toBe(1)

        await section.getByRole('button', { name: 'Back up now' }).press('Enter')
        const busy = section.getByRole('button', { name: 'Backing up…' })
        await busy.waitFor()
        expect(await busy.getAttribute('aria-disabled')).toBe('true')
        // a process of its own makes it, which takes its time on a busy machine
        await busy.waitFor({ state: 'hidden', timeout: 120_000 })
        await expectToast(page, 'Backup complete')
        expect(await rows.count()).toBe(2)
        for (const name of readdirSync(to)) await rows.filter({ hasText: name }).waitFor()
        await expectAccessible(page, 'backups')
        await expectNoSidewaysScroll(page, 'backups')

        rmSync(to, { recursive: true })
        writeFileSync(to, 'a file')
        await section.getByRole('button', { name: 'Back up now' }).click()
        await section
          .getByRole('alert')
          .getByText(/^The last backup failed .+\. .*backups/)
          .waitFor()
        await section.getByText('No backups in this folder.').waitFor()
        await section.getByRole('button', { name: 'Back up now' }).waitFor()
        await expectAccessible(page, 'a failed backup')
        await expectNoSidewaysScroll(page, 'a failed backup')
        expect(await page.content()).not.toContain('canary')
        expectNoErrors(page)
      })
    } finally {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)

it.runIf(process.env.TEST_MYSQL_URL)('says who waits for a turn', async () => {
  const server = await startSwitchroom('mysql', { SWITCHROOM_QUOTA_PHONE_NUMBERS: '1000' })
  const connection = await createConnection(server.mysql!)
  const page = await openPage()
  try {
    await reportFailures(page, 'turns', async () => {
      const admin = await fetchToken(server.url)
      await api(server.url, admin, 'PUT', `/Accounts/${ACCOUNT}`, { name: 'Northern Hotels' })
      const { token } = await api<{ token: string }>(server.url, admin, 'POST', '/ApiKeys', {
        account_sid: ACCOUNT,
      })
      await logIn(page, server.url)
      await openScreen(page, 'Settings', 'System health')
      const section = page.getByRole('region', { name: 'Costly requests' })
      const exports = section.getByRole('row', { name: 'Exports' })
      await section.getByText('Nothing is waiting.').waitFor()
      await exports.getByRole('cell', { name: '1 at once and 5 waiting for each' }).waitFor()
      const quotas = page.getByRole('region', { name: 'Quotas of each account' })
      await quotas.getByRole('listitem').filter({ hasText: 'Phone numbers1,000' }).waitFor()
      await quotas.getByRole('listitem').filter({ hasText: 'UsersUnlimited' }).waitFor()
      await expectAccessible(page, 'no turns')

      await connection.query('lock tables phone_numbers write')
      const file = () =>
        fetch(`${server.url}/api/v1/PhoneNumbers/Export`, {
          headers: { authorization: `Bearer ${token}` },
        }).then((answer) => answer.text())
      const files = Promise.all([file(), file(), file()])
      files.catch(() => undefined)
      await section.getByText('2 requests are waiting.').waitFor()
      await exports.getByText('Northern Hotels 1 running, 2 waiting').waitFor()
      await expectAccessible(page, 'turns')
      await expectNoSidewaysScroll(page, 'turns')
      // beside the sidebar, a row has its text on a line of its own
      await page.setViewportSize({ width: 900, height: 900 })
      const free = page.getByText(/free for the data folder/)
      expect((await free.boundingBox())!.width).toBeGreaterThan(400)

      await connection.query('unlock tables')
      await files
      await section.getByText('Nothing is waiting.').waitFor()
      expectNoErrors(page)
    })
  } finally {
    await connection.end()
    await page.context().close()
    await server.stop()
  }
})
