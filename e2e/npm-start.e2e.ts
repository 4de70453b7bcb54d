import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { compileCache, fetchToken } from './harness.ts'
import { freePort } from './ports.ts'
import { until } from './wait.ts'

/** `npm start` as users run it. npm does not forward every signal. */

const root = fileURLToPath(new URL('..', import.meta.url))
let data: string
let port: number
let npm: ChildProcess | undefined
let blocker: Server | undefined
const folder = mkdtempSync(join(tmpdir(), 'switchroom-npm-'))
beforeEach(async () => {
  // one for all that only start and end: it has tables from the first start on
  data = join(folder, 'data')
  port = await freePort()
})
afterEach(() => {
  if (npm?.exitCode === null && npm.signalCode === null) process.kill(-npm.pid!, 'SIGKILL')
  blocker?.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Starts a new process group, which is what a terminal signals. */
function start() {
  let log = ''
  const child = spawn('npm', ['start'], {
    cwd: root,
    detached: true,
    env: {
      PATH: process.env.PATH,
      ...compileCache,
      HOME: process.env.HOME,
      HTTP_PORT: String(port),
      SWITCHROOM_DATA: data,
    },
  })
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      log += chunk
    })
  npm = child
  const waitForOutput = async (what: string | RegExp) => {
    const failure = () => `It did not say ${what}:\n${log}`
    await until(() => {
      if (log.match(what)) return true
      if (child.exitCode !== null) throw new Error(failure())
      return false
    }, failure)
    return log.match(what)!
  }
  return { child, waitForOutput }
}

const isOpen = () =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

const waitUntilClosed = () =>
  until(
    async () => !(await isOpen()),
    () => 'The port is still taken',
  )

it.each([
  ['npm alone', 'SIGTERM', 0],
  ['npm alone', 'SIGHUP', undefined],
  ['npm alone', 'SIGKILL', undefined],
  // like Ctrl-C: npm forwards a signal the server already got, which must not count as a second one
  ['the process group', 'SIGINT', 0],
  ['the process group', 'SIGTERM', 0],
] as const)('ends when %s gets %s', async (whom, signal, status) => {
  const { child, waitForOutput } = start()
  await waitForOutput('Switchroom is at')
  expect(await isOpen()).toBe(true)
  const exited = once(child, 'exit')
  process.kill(whom === 'npm alone' ? child.pid! : -child.pid!, signal)
  const [code] = await exited
  if (status !== undefined) expect(code).toBe(status)
  await waitUntilClosed()
})

it('stops in time although a request is still open', async () => {
  const { child, waitForOutput } = start()
  await waitForOutput('Switchroom is at')
  const slow = connect(port, '127.0.0.1')
  slow.on('error', () => undefined)
  slow.write('POST /api/v1/login HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{')
  // once this is answered, the server has accepted the connection above
  await fetch(`http://127.0.0.1:${port}/ready`)
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  expect(await isOpen()).toBe(false)
  slow.destroy()
})

it('does not lose the one-time password to a taken port or a crash', async () => {
  data = mkdtempSync(join(folder, 'new-'))
  blocker = createServer().listen(port, '127.0.0.1')
  await once(blocker, 'listening')
  const refused = start()
  const [code] = await once(refused.child, 'exit')
  await refused.waitForOutput(`HTTP_PORT: another program already listens at 127.0.0.1:${port}`)
  expect(code).toBe(2)
  await new Promise((r) => blocker?.close(r))

  const passwords = []
  for (let kills = 0; kills < 2; kills++) {
    const { child, waitForOutput } = start()
    const end = once(child, 'exit')
    const [, password] = await waitForOutput(/one-time password (\S+)\n|Switchroom is at/)
    if (password) passwords.push(password)
    process.kill(-child.pid!, 'SIGKILL')
    await end
  }
  const { waitForOutput } = start()
  await waitForOutput('Switchroom is at')
  const [, password] = (await waitForOutput(/one-time password (\S+)\n|Switchroom is at/)) ?? []
  expect(
    await fetchToken(`http://127.0.0.1:${port}`, 'admin', password ?? passwords.at(-1)!),
  ).toBeTruthy()
})
