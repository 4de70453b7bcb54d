import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { basename, join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { pendingEntries, verify } from '../packages/server/src/audit/verify.ts'
import { readConfig } from '../packages/server/src/config/config.ts'
import { existingDatabase } from '../packages/server/src/start/database.ts'
import { caseCount, report, reportedCases } from '../packages/server/test/trust.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, type Switchroom, startSwitchroom } from './harness.ts'
import { pause, until } from './wait.ts'

let server: Switchroom | undefined
afterEach(() => server?.stop())

type Sid = { sid: string }
type PhoneNumber = { phone_number_sid: string; number: string }
const KILLED = 'kill -9 while carriers and numbers are saved'
const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'

it.each(databasesFor('durability'))(
  'keeps every acknowledged write through a kill -9, on %s',
  { timeout: 3_600_000 },
  async (database) => {
    server = await startSwitchroom(database)
    const kills = reportedCases(KILLED, 1, 200, database)
    const acknowledged: string[] = []
    for (let round = 0; round < kills; round++) {
      const before = acknowledged.length
      await killWhileWriting(server, acknowledged)
      expect(acknowledged.length).toBeGreaterThan(before + 50)
      await server.start()
      const token = await fetchToken(server.url)
      const numbers = await api<PhoneNumber[]>(server.url, token, 'GET', '/PhoneNumbers')
      const stored = new Set(numbers.map((n) => n.number))
      expect(acknowledged.filter((n) => !stored.has(n))).toEqual([])
      type Carrier = { inbound_gateways: number }
      const carriers = await api<Carrier[]>(server.url, token, 'GET', '/VoipCarriers')
      expect(carriers.filter((c) => c.inbound_gateways !== 2)).toEqual([])
    }
    const found = { 'acknowledged and found': acknowledged.length }
    report({ part: KILLED, tried: 0, found, database })
  },
)

/** Kills the server during a burst of writes, however fast this machine is. Adds the acknowledged numbers. */
async function killWhileWriting(server: Switchroom, acknowledged: string[]) {
  const token = await fetchToken(server.url)
  const before = acknowledged.length
  // unacknowledged numbers may have been stored as well
  let next = before * 2
  let running = true
  const write = async () => {
    while (running) {
      const number = `1508${String(next++).padStart(7, '0')}`
      // a carrier with its gateways: several statements that must be atomic
      const body = {
        name: number,
        account_sid: ACCOUNT,
        sip_gateways: [
          { ipv4: '203.0.113.1', inbound: 1, outbound: 0 },
          { ipv4: '203.0.113.2', inbound: 1, outbound: 0 },
        ],
      }
      try {
        const { sid } = await api<Sid>(server.url, token, 'POST', '/VoipCarriers', body)
        await api(server.url, token, 'POST', '/PhoneNumbers', {
          number,
          account_sid: ACCOUNT,
          voip_carrier_sid: sid,
        })
        acknowledged.push(number)
      } catch (cause) {
        if (running) throw new Error(`a write failed before the kill: ${cause}`)
      }
    }
  }
  const writers = Array.from({ length: 8 }, write)
  await until(
    () => acknowledged.length > before + 50,
    () => `Only ${acknowledged.length - before} writes were acknowledged`,
  )
  running = false
  await server.kill('SIGKILL')
  await Promise.all(writers)
}

const ROWS = caseCount(3_000, 10_000)
/**
 * When the server is killed: as the first rows are checked, at a share of the time after the last ones were that
 * 10,000 rows take here in about a second, or with the verdict.
 */
const MOMENTS = ['first', 0.05, 0.2, 0.4, 0.7, 'verdict'] as const

it.each(databasesFor('durability'))(
  'keeps all of an import or nothing through a kill -9, and an audit entry for each row, on %s',
  { timeout: 300_000 },
  async (database) => {
    server = await startSwitchroom(database)
    const db = await existingDatabase(readConfig(server.env))
    let stored = 0
    const outcomes: string[] = []
    for (const [round, moment] of MOMENTS.entries()) {
      const isAcknowledged = await killWhileImporting(server, 30_000_000_000 + round * ROWS, moment)
      await server.start()
      const token = await fetchToken(server.url)
      const { total } = await api<{ total: number }>(
        server.url,
        token,
        'GET',
        '/PhoneNumbers?page=1',
      )
      expect([stored, stored + ROWS]).toContain(total)
      if (isAcknowledged) expect(total).toBe(stored + ROWS)
      outcomes.push(total > stored ? 'all' : 'nothing')
      stored = total
      // the next start links what the killed one left
      await expect.poll(() => pendingEntries(db)).toBe(0)
      expect(await verify(db)).toMatchObject({ whole: true })
      const entries = await db
        .selectFrom('switchroom_audit')
        .select('sid')
        .where('kind', '=', 'phone_number')
        .execute()
      expect(new Set(entries.map((entry) => entry.sid)).size).toBe(stored)
      expect(entries).toHaveLength(stored)
    }
    expect(outcomes).toContain('nothing')
    expect(outcomes.at(-1)).toBe('all')
    await db.destroy()
  },
)

/** Kills the server while it imports numbers. Resolves to whether the import was acknowledged. */
async function killWhileImporting(
  server: Switchroom,
  from: number,
  moment: (typeof MOMENTS)[number],
): Promise<boolean> {
  const lines = Array.from({ length: ROWS }, (_, i) => `${from + i},${ACCOUNT}`)
  const answer = await fetch(`${server.url}/api/v1/PhoneNumbers/Import`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await fetchToken(server.url)}`,
      'content-type': 'text/csv',
    },
    body: `number,account\n${lines.join('\n')}\n`,
  })
  let text = ''
  let killed: Promise<unknown> | undefined
  const kill = () => {
    killed ??= server.kill('SIGKILL')
  }
  try {
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (moment === 'first' || text.includes('"verdict"')) kill()
      else if (moment !== 'verdict' && text.includes(`"done":${ROWS}`))
        void pause(moment * (ROWS / 10)).then(kill)
    }
  } catch {
    // the connection ends with the server
  }
  kill()
  await killed
  return text.includes(`"added":${ROWS}`)
}

it.each(databasesFor('durability'))(
  'keeps sessions and log-outs across a restart, on %s',
  async (database) => {
    server = await startSwitchroom(database)
    const { url } = server
    const [token] = [await fetchToken(url)]
    const add = { name: 'b', email: 'b@example.org', initial_password: 'correct horse 2' }
    await api(url, token, 'POST', '/Users', { ...add, force_change: false })
    const other = await fetchToken(url, 'b', 'correct horse 2')
    await api(url, other, 'POST', '/logout')
    await server.kill('SIGKILL')
    await server.start()
    await api(url, token, 'GET', '/Users/me')
    await expect(api(url, other, 'GET', '/Users/me')).rejects.toThrow('401')
  },
)

const UPLOADS = 20

it('keeps every recording whose end was answered through a kill -9', async () => {
  server = await startSwitchroom('sqlite')
  const sockets = await Promise.all(Array.from({ length: UPLOADS }, () => openUpload(server!.url)))
  const acknowledged: string[] = []
  let killed: Promise<unknown> | undefined
  const audio = Buffer.alloc(32_000, 1)
  const ended = sockets.map(async (socket) => {
    const callSid = randomUUID()
    socket.send(JSON.stringify({ accountSid: ACCOUNT, callSid, sampleRate: 8_000 }))
    socket.send(audio)
    socket.close(1000)
    const [code] = await once(socket, 'close')
    if (code !== 1000) return
    acknowledged.push(callSid)
    killed ??= server!.kill('SIGKILL')
  })
  await Promise.all(ended)
  await killed
  expect(acknowledged.length).toBeGreaterThan(0)
  const folder = join(server.shared.SWITCHROOM_DATA, 'recordings')
  const stored = new Set<string>()
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    // delivered already
    if (file.endsWith('.mp3') && !file.startsWith('incoming')) stored.add(basename(file, '.mp3'))
    if (!file.endsWith('.json')) continue
    const note = readFileSync(join(folder, file), 'utf8')
    // killed as it was written, before its end could be answered
    if (!note.endsWith('}')) continue
    const job = JSON.parse(note) as { call_sid: string }
    const pcm = join(folder, file.replace('.json', '.pcm'))
    // it goes first, once it is delivered
    if (existsSync(pcm) && readFileSync(pcm).equals(audio)) stored.add(job.call_sid)
  }
  expect(acknowledged.filter((sid) => !stored.has(sid))).toEqual([])
})

async function openUpload(url: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/record/aws_s3`, ['audio.jambonz.org'])
  socket.on('error', () => undefined)
  await once(socket, 'open')
  return socket
}

/**
 * A request whose headers the server has read: it answered "100 Continue" and waits for the body, which the function sends.
 * It has no password, whose hash has less priority than requests and may take longer than a stop waits on a busy machine.
 */
async function startRequest(url: string, token: string) {
  const pending = request(`${url}/api/v1/VoipCarriers`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      expect: '100-continue',
    },
  })
  const answer = once(pending, 'response') as Promise<[IncomingMessage]>
  await once(pending, 'continue')
  return async (body: unknown) => {
    pending.end(JSON.stringify(body))
    const [response] = await answer
    return { status: response.statusCode, body: await json(response) }
  }
}

it('finishes requests in flight on SIGTERM', async () => {
  server = await startSwitchroom('sqlite')
  const { url } = server
  const token = await fetchToken(url)
  const inFlight = await Promise.all(Array.from({ length: 4 }, () => startRequest(url, token)))
  const code = server.kill('SIGTERM')
  const isReady = () =>
    fetch(`${url}/ready`).then(
      (answer) => answer.ok,
      () => false,
    )
  await expect.poll(isReady).toBe(false)
  const added = await Promise.all(
    inFlight.map((finish, i) => finish({ name: `c${i}`, account_sid: ACCOUNT })),
  )
  expect(added.map((carrier) => carrier.status)).toEqual([201, 201, 201, 201])
  expect(await code).toBe(0)
  await server.start()
  const carriers = await api<{ name: string }[]>(url, token, 'GET', '/VoipCarriers')
  expect(carriers.map((carrier) => carrier.name).sort()).toEqual(['c0', 'c1', 'c2', 'c3'])
})
