import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildConsole } from '../scripts/build.ts'
import { compiled, logIn } from './harness.ts'
import { freePort } from './ports.ts'

/** `npm start` as people run it: with npm in between, which does not forward every signal. */

const root = fileURLToPath(new URL('..', import.meta.url))
let data: string
let port: number
let npm: ChildProcess | undefined
let blocker: Server | undefined
beforeEach(async () => {
  await buildConsole()
  data = mkdtempSync(join(tmpdir(), 'switchroom-npm-'))
  port = await freePort()
})
afterEach(() => {
  if (npm?.exitCode === null && npm.signalCode === null) process.kill(-npm.pid!, 'SIGKILL')
  blocker?.close()
  rmSync(data, { recursive: true, force: true })
})

/** Starts it as a process group of its own, which is what a terminal signals. */
function start() {
  let log = ''
  const child = spawn('npm', ['start'], {
    cwd: root,
    detached: true,
    env: {
      PATH: process.env.PATH,
      ...compiled,
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
  const until = async (what: string | RegExp) => {
    for (let tries = 0; !log.match(what); tries++) {
      if (tries > 1_200 || child.exitCode !== null)
        throw new Error(`It did not say ${what}:\n${log}`)
      await new Promise((r) => setTimeout(r, 50))
    }
    return log.match(what)!
  }
  return { child, until }
}

const isOpen = () =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

async function closed(within_ms: number) {
  const began = Date.now()
  while (await isOpen()) {
    if (Date.now() - began > within_ms) throw new Error('The port is still taken')
    await new Promise((r) => setTimeout(r, 50))
  }
}

it.each([
  ['npm alone', 'SIGTERM', 0],
  ['npm alone', 'SIGHUP', undefined],
  ['npm alone', 'SIGKILL', undefined],
  // as Ctrl-C does it: npm forwards what the server has got already, and that is no second request
  ['the process group', 'SIGINT', 0],
  ['the process group', 'SIGTERM', 0],
] as const)('ends when %s gets %s', async (whom, signal, status) => {
  const { child, until } = start()
  await until('Switchroom is at')
  expect(await isOpen()).toBe(true)
  const ended = once(child, 'exit')
  process.kill(whom === 'npm alone' ? child.pid! : -child.pid!, signal)
  const [code] = await ended
  if (status !== undefined) expect(code).toBe(status)
  await closed(5_000)
})

it('ends in time although somebody keeps a request open', async () => {
  const { child, until } = start()
  await until('Switchroom is at')
  const slow = connect(port, '127.0.0.1')
  slow.on('error', () => undefined)
  slow.write('POST /api/v1/login HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{')
  // what is answered later has come later
  await fetch(`http://127.0.0.1:${port}/ready`)
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  await closed(0)
  slow.destroy()
}, 15_000)

it('does not lose the one-time password to a port that is taken, or to a sudden end', async () => {
  blocker = createServer().listen(port, '127.0.0.1')
  await once(blocker, 'listening')
  const refused = start()
  const [code] = await once(refused.child, 'exit')
  await refused.until(`HTTP_PORT: another program already listens at 127.0.0.1:${port}`)
  expect(code).toBe(2)
  await new Promise((r) => blocker?.close(r))

  const said = []
  for (let kills = 0; kills < 2; kills++) {
    const { child, until } = start()
    const end = once(child, 'exit')
    const [, password] = await until(/one-time password (\S+)\n|Switchroom is at/)
    if (password) said.push(password)
    process.kill(-child.pid!, 'SIGKILL')
    await end
  }
  const { until } = start()
  await until('Switchroom is at')
  const [, password] = (await until(/one-time password (\S+)\n|Switchroom is at/)) ?? []
  expect(await logIn(`http://127.0.0.1:${port}`, 'admin', password ?? said.at(-1)!)).toBeTruthy()
})
