import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { api, compileCache } from './harness.ts'
import { freePort } from './ports.ts'
import { until } from './wait.ts'

/** `npm run demo`: what it fills an installation with, that it lives, and that it leaves nothing behind. */

const root = fileURLToPath(new URL('..', import.meta.url))
let parent: string
let folder: string
let demo: ChildProcess | undefined
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'switchroom-demo-'))
  folder = join(parent, 'demo')
})
afterEach(async () => {
  if (demo && demo.exitCode === null) {
    demo.kill('SIGTERM')
    await once(demo, 'exit')
  }
  rmSync(parent, { recursive: true, force: true })
})

/** A time zone where it is noon: recordings are those of today, and calls come by day. */
const NOON = 12 - new Date().getUTCHours()
const env = (port: number) => ({
  PATH: process.env.PATH,
  ...compileCache,
  HTTP_PORT: String(port),
  TZ: `Etc/GMT${NOON > 0 ? '-' : '+'}${Math.abs(NOON)}`,
})

async function start(port: number) {
  const args = ['scripts/demo.ts', '--folder', folder, '--days', '2', '--scale', '0.05']
  demo = spawn(process.execPath, args, { cwd: root, env: env(port) })
  let log = ''
  for (const stream of [demo.stdout!, demo.stderr!])
    stream.on('data', (chunk) => {
      log += chunk
    })
  await until(
    () => {
      if (demo?.exitCode !== null) throw new Error(`The demo ended:\n${log}`)
      return log.includes('password of all four')
    },
    () => `The demo did not start:\n${log}`,
  )
  const password = /all four is (\S+)/.exec(log)![1]!
  const url = /^ {2}(http:\S+)$/m.exec(log)![1]!
  const tokenOf = async (username: string) =>
    (await api<{ token: string }>(url, '', 'POST', '/login', { username, password })).token
  return { url, tokenOf }
}

const remove = () =>
  spawnSync(process.execPath, ['scripts/demo.ts', 'remove', '--folder', folder], {
    cwd: root,
    env: env(0),
    encoding: 'utf8',
  })

/** Addresses at which the demo reaches its other components, as it has noted them. */
const reached = () =>
  JSON.parse(readFileSync(join(folder, 'switchroom-demo.json'), 'utf8')).filled.reached as {
    alerts: string
    tried: string
  }

async function listenAt(url: string) {
  const server = createServer().listen(Number(new URL(url).port), '127.0.0.1')
  await once(server, 'listening')
  return server
}

type Page<T> = { data: T[]; total: number }
type Call = {
  call_sid: string
  account_sid: string
  sip_callid: string
  sip_status: number
  trace_id: string
  recording_url: string | null
}

it('is a living installation, goes on where it stopped, and removes itself', async () => {
  const port = await freePort()
  const { url, tokenOf } = await start(port)
  const token = await tokenOf('admin')
  const get = <T>(path: string) => api<T>(url, token, 'GET', path)
  expect(await get('/ServiceProviders')).toHaveLength(3)
  expect(await get('/Accounts')).toHaveLength(40)

  const { data: calls, total } = await get<Page<Call>>('/RecentCalls?days=1&page=1&count=500')
  expect(total).toBeGreaterThan(500)
  const refused = calls.filter(({ sip_status }) => sip_status === 503)
  expect(refused.length).toBeGreaterThan(5)
  const recorded = calls.find((call) => call.recording_url)!
  const of = `/Accounts/${recorded.account_sid}/RecentCalls`
  expect(JSON.stringify(await get(`${of}/trace/${recorded.trace_id}`))).toContain('stt.result')
  const ladder = await get<{ messages: { label: string }[] }>(`${of}/${recorded.sip_callid}/sip`)
  expect(ladder.messages.map(({ label }) => label)).toEqual(
    expect.arrayContaining(['INVITE', '180 Ringing', '200 OK', 'BYE']),
  )
  const sound = await fetch(`${url}/api/v1${recorded.recording_url}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(Buffer.from(await sound.arrayBuffer()).toString('latin1', 0, 4)).toBe('RIFF')
  expect((await get<Page<object>>('/Alerts?days=7&page=1&count=25')).total).toBeGreaterThan(5)

  // it lives: calls come by themselves, and one that is hung up is over
  const live = () => get<Page<{ call_sid: string; account_sid: string }>>('/LiveCalls')
  await expect.poll(async () => (await live()).total).toBeGreaterThan(3)
  const hangUp = async () => {
    for (const { account_sid, call_sid } of (await live()).data) {
      const path = `/Accounts/${account_sid}/Calls/${call_sid}`
      const answer = api(url, token, 'PUT', path, { call_status: 'completed' })
      const isHungUp = await answer.then(
        () => true,
        (e: Error) => {
          // it has just ended by itself
          if (!e.message.includes(': 404')) throw e
          return false
        },
      )
      if (isHungUp) return call_sid
    }
    throw new Error('All calls ended by themselves')
  }
  const hungUp = await hangUp()
  await expect
    .poll(async () => (await live()).data.map((call) => call.call_sid))
    .not.toContain(hungUp)

  // its test cases have been run, and one fails
  const applications = await get<{ application_sid: string; name: string }[]>('/Applications')
  const { application_sid } = applications.find(({ name }) => name.endsWith('(try it)'))!
  const passed = async () =>
    (
      await get<Page<{ latest_run: { is_passed: boolean | null } | null }>>(
        `/Applications/${application_sid}/TestCases?page=1`,
      )
    ).data.map(({ latest_run }) => latest_run?.is_passed ?? null)
  await expect.poll(async () => (await passed()).sort()).toEqual([false, true, true])

  for (const user of ['priya.shah', 'tom.ellis']) await tokenOf(user)
  const viewer = await tokenOf('vera.lindqvist')
  await expect(api(url, viewer, 'POST', '/VoipCarriers', { name: 'x' })).rejects.toThrow('403')

  expect(remove()).toMatchObject({ status: 2, stderr: expect.stringContaining('is running') })
  const ended = once(demo!, 'exit')
  demo!.kill('SIGINT')
  expect((await ended)[0]).toBe(0)
  await expect(fetch(url)).rejects.toThrow()

  // another program has the ports of before
  const taken = await Promise.all(Object.values(reached()).map(listenAt))
  const again = await start(port)
  const now = reached()
  const token2 = await again.tokenOf('admin')
  const hooks = await api<{ call_hook?: { url: string } }[]>(
    again.url,
    token2,
    'GET',
    '/Applications',
  )
  expect(hooks.filter((a) => a.call_hook?.url.startsWith(now.tried))).toHaveLength(1)
  const desks = await api<{ address: string }[]>(again.url, token2, 'GET', '/AlertDestinations')
  expect(desks.map(({ address }) => address)).toEqual([now.alerts, now.alerts, now.alerts])
  for (const other of taken) other.close()
  const after = await api<Page<Call>>(
    again.url,
    await again.tokenOf('admin'),
    'GET',
    '/RecentCalls?days=1&page=1&count=500',
  )
  expect(after.total).toBeGreaterThanOrEqual(total)
  demo!.kill('SIGTERM')
  await once(demo!, 'exit')
  expect(remove().status).toBe(0)
  expect(existsSync(folder)).toBe(false)
})
