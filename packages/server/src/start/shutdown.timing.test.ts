import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { emptyMysql, kinds, mysqlAt } from '../../test/database.ts'
import { faultyProxy } from '../../test/stand-ins/faulty-proxy.ts'

describe('a server', () => {
  const cleanUp: (() => void)[] = []
  afterEach(() => {
    for (const work of cleanUp.splice(0)) work()
  })

  async function start(env: Record<string, string>) {
    const data = mkdtempSync(join(tmpdir(), 'switchroom-shutdown-'))
    const server = spawn(
      process.execPath,
      [fileURLToPath(new URL('../main.ts', import.meta.url))],
      {
        env: { ...process.env, HTTP_PORT: '0', SWITCHROOM_DATA: data, ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    cleanUp.push(() => {
      server.kill('SIGKILL')
      rmSync(data, { recursive: true, force: true })
    })
    let output = ''
    const url = await new Promise<string>((resolve, reject) => {
      server.stdout.on('data', (chunk) => {
        output += chunk
        const [, at] = /Switchroom is at (\S+)/.exec(output) ?? []
        if (at) resolve(at)
      })
      server.once('exit', () => reject(new Error(output)))
    })
    return { server, url, said: () => output }
  }

  const exited = (server: ChildProcess) =>
    new Promise<number | null>((resolve) => server.once('exit', resolve))

  /** A raw connection, the data received on it, and whether the server has closed it. */
  async function open(url: string, head: string[]) {
    const { host, hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port) })
    const state = { received: '', isClosed: false }
    socket.on('data', (chunk) => {
      state.received += chunk
    })
    socket.once('close', () => {
      state.isClosed = true
    })
    cleanUp.push(() => socket.destroy())
    socket.write([...head, `host: ${host}`, '', ''].join('\r\n'))
    return { state, send: (text: string) => socket.write(text) }
  }

  it('says that it is not ready, finishes what it began, closes idle connections, and ends', async () => {
    const { server, url, said } = await start({ SWITCHROOM_DRAIN_SECONDS: '5' })
    const idle = await open(url, ['GET /health HTTP/1.1'])
    // a password would be checked behind all else that the machine does
    const body = JSON.stringify({ email: 'nobody@example.org' })
    const begun = await open(url, [
      'POST /api/v1/forgot-password HTTP/1.1',
      'content-type: application/json',
      `content-length: ${body.length}`,
      'expect: 100-continue',
    ])
    await expect.poll(() => idle.state.received).toContain('200 OK')
    await expect.poll(() => begun.state.received).toContain('100 Continue')
    const over = exited(server)
    server.kill('SIGTERM')

    const ready = () => fetch(`${url}/ready`).then((answer) => answer.status)
    await expect.poll(ready, { interval: 10 }).toBe(503)
    const { status, headers } = await fetch(`${url}/api/v1/Users/me`)
    expect([status, headers.get('connection'), idle.state.isClosed]).toEqual([401, 'close', false])

    const refused = () => ready().catch((e: Error) => (e.cause as NodeJS.ErrnoException).code)
    await expect.poll(refused).toBe('ECONNREFUSED')
    await expect.poll(() => idle.state.isClosed).toBe(true)
    expect([server.exitCode, begun.state.isClosed]).toEqual([null, false])
    begun.send(body)
    expect(await over, said()).toBe(0)
    expect(begun.state.received).toMatch(/HTTP\/1.1 503 .*connection: close.*"msg"/is)
  })

  it('ends cleanly while a mail server says nothing', async () => {
    const mail = createServer()
    await new Promise<void>((resolve) => mail.listen(0, '127.0.0.1', resolve))
    const asked = new Promise((resolve) => mail.once('connection', resolve))
    cleanUp.push(() => mail.close())
    const { port } = mail.address() as AddressInfo
    const { server, said } = await start({
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      SMTP_FROM: 'portal@example.org',
    })
    await asked
    const over = exited(server)
    server.kill('SIGTERM')
    expect(await over, said()).toBe(0)
  })

  /** Asks and resolves to the status and how long it took. */
  async function ask(url: string) {
    const began = performance.now()
    const { status } = await fetch(url)
    return { status, ms: performance.now() - began }
  }

  async function expectSteady(
    { server, url }: Awaited<ReturnType<typeof start>>,
    proxy: Awaited<ReturnType<typeof faultyProxy>>,
  ) {
    expect(await ask(`${url}/ready`)).toMatchObject({ status: 200 })
    proxy.lose('all')
    // answers of /ready may be a second old
    await setTimeout(1_100)
    const answers = await Promise.all([
      ask(`${url}/ready`),
      ask(`${url}/ready`),
      ask(`${url}/ready`),
    ])
    for (const { status, ms } of answers) {
      expect(status).toBe(503)
      expect(ms).toBeLessThan(10_000)
    }
    const over = exited(server)
    const began = performance.now()
    server.kill('SIGTERM')
    await over
    expect(performance.now() - began).toBeLessThan(30_000)
  }

  it.runIf(kinds.includes('mysql'))('answers 503 and stops without MariaDB', async () => {
    const at = mysqlAt('shutdown_test')
    await emptyMysql(at)
    const proxy = await faultyProxy(at)
    cleanUp.push(proxy.close)
    await expectSteady(
      await start({
        JAMBONES_MYSQL_HOST: proxy.host,
        JAMBONES_MYSQL_PORT: String(proxy.port),
        JAMBONES_MYSQL_USER: at.user,
        JAMBONES_MYSQL_PASSWORD: at.password,
        JAMBONES_MYSQL_DATABASE: at.database,
        JWT_SECRET: 'the secret that signs sessions here',
      }),
      proxy,
    )
  })

  it.runIf(process.env.TEST_REDIS_URL)('answers 503 and stops without Redis', async () => {
    const { hostname, port } = new URL(process.env.TEST_REDIS_URL!)
    const proxy = await faultyProxy({ host: hostname, port: Number(port) })
    cleanUp.push(proxy.close)
    await expectSteady(
      await start({ JAMBONES_REDIS_HOST: proxy.host, JAMBONES_REDIS_PORT: String(proxy.port) }),
      proxy,
    )
  })
})
