import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, it } from 'vitest'
import { seededRandom } from '../packages/server/test/calls.ts'
import { hep, sipText } from '../packages/server/test/hep.ts'
import { caseCount, report } from '../packages/server/test/trust.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures } from './browser.ts'
import { startClickHouse } from './clickhouse.ts'
import { api, fetchToken, type Switchroom, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'
import { pause } from './wait.ts'

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const PROVIDER = '2708b1b3-2736-40ea-b502-c53d8396247f'
const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
type Call = { call_sid: string; from: string }
type Trace = { resourceSpans: { scopeSpans: { spans: unknown[] }[] }[] }
const spansIn = ({ resourceSpans }: Trace) =>
  resourceSpans.flatMap((r) => r.scopeSpans.flatMap(({ spans }) => spans)).length
type Page = { total: number; data: Call[] }

async function startOn(url: string | undefined, shared: Record<string, string> = {}) {
  const [influx, otlp, hepPort] = [await freePort(), await freePort(), await freePort()]
  const server = await startSwitchroom('sqlite', {
    ...shared,
    ...(url && { SWITCHROOM_CLICKHOUSE_URL: url }),
    SWITCHROOM_INGEST_INFLUX: String(influx),
    SWITCHROOM_INGEST_OTLP: String(otlp),
    SWITCHROOM_INGEST_HEP: String(hepPort),
  })
  stops.push(server.stop)
  const intake = {
    influx: `http://127.0.0.1:${influx}/write?db=cdrs&precision=n`,
    otlp: `http://127.0.0.1:${otlp}/v1/traces`,
    hep: hepPort,
  }
  return { server, intake }
}
type Intake = Awaited<ReturnType<typeof startOn>>['intake']

const lineOf = (sid: string, ms: number, from = '+15085550100', trace_id = traceOf(sid)) =>
  `cdrs,account_sid=${ACCOUNT},service_provider_sid=${PROVIDER},answered=true,direction=inbound,host=10.0.0.1,trunk=carrier ` +
  `call_sid="${sid}",sip_callid="sip-${sid}",from="${from}",to="+15085550199",sip_status=200,duration=12,answered_at=${ms + 900},trace_id="${trace_id}" ${ms}000000`
const traceOf = (sid: string) => Buffer.from(sid.padEnd(16, '.')).toString('hex').slice(0, 32)

const post = (url: string, body: string, headers = {}) =>
  fetch(url, { method: 'POST', body, headers }).then(
    ({ ok }) => ok,
    () => false,
  )
/** Sends points. Resolves to true if they were acknowledged. */
const send = ({ influx }: Intake, lines: string[]) => post(influx, lines.join('\n'))

/** Sends the spans of a call, a root and its children. Resolves to true if they were acknowledged. */
function sendSpans({ otlp }: Intake, sid: string, ms: number, children: string[]) {
  const span = (name: string, i: number) => ({
    traceId: traceOf(sid),
    spanId: (i + 1).toString(16).padStart(16, '0'),
    ...(i > 0 && { parentSpanId: '1'.padStart(16, '0') }),
    name,
    kind: 1,
    startTimeUnixNano: `${ms + i * 1_000}000000`,
    endTimeUnixNano: `${ms + 12_000}000000`,
    attributes: [],
  })
  const spans = ['incoming-call', ...children].map(span)
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
  return post(otlp, body, { 'content-type': 'application/json' })
}

async function sendSip({ hep: port }: Intake, sid: string, ms: number) {
  const socket = createSocket('udp4')
  const call_id = `sip-${sid}`
  const messages = [
    ['INVITE sip:2000@pbx SIP/2.0', '1 INVITE', false],
    ['SIP/2.0 200 OK', '1 INVITE', true],
    ['BYE sip:2000@pbx SIP/2.0', '2 BYE', false],
  ] as const
  for (const [i, [first, cseq, isBack]] of messages.entries()) {
    const ends: [string, number][] = [
      ['192.0.2.10', 5060],
      ['203.0.113.7', 5060],
    ]
    const [source, destination] = isBack ? ends.reverse() : ends
    const text = sipText(first, { call_id, cseq })
    const frame = hep({ text, at: ms + i * 900, source: source!, destination: destination! })
    await new Promise<void>((done, fail) =>
      socket.send(frame, port, '127.0.0.1', (e) => (e ? fail(e) : done())),
    )
  }
  socket.close()
}

const list = ({ url }: Switchroom, token: string, query: string) =>
  api<Page>(url, token, 'GET', `/Accounts/${ACCOUNT}/RecentCalls?${query}`)

it.runIf(process.env.TEST_CLICKHOUSE_URL)(
  'keeps every call it has acknowledged, once, whatever is killed',
  { timeout: 3_600_000 },
  async () => {
    const engine = await startClickHouse()
    stops.push(engine.stop)
    const a = await startOn(engine.url)
    const b = await startOn(engine.url, a.server.shared)
    const acknowledged: string[] = []
    const began = Date.now()
    let [running, next] = [true, 0]
    const traced: string[] = []
    const sender = async (intakes: Intake[]) => {
      while (running) {
        const sids = Array.from({ length: 20 }, () => `call-${next++}`)
        // calls of one series are told apart by their time
        const lines = sids.map((sid) => lineOf(sid, began - Number(sid.slice(5))))
        // again through another process, as a component would after a time-out
        for (let tries = 0; running && tries < 40; tries++) {
          if (await send(intakes[tries % intakes.length]!, lines)) {
            acknowledged.push(...sids)
            if (next % 7 === 0) await send(intakes[(tries + 1) % intakes.length]!, lines)
            break
          }
          await pause(250)
        }
        // an exporter does not try for long
        const [sid] = sids as [string]
        if (await sendSpans(intakes[0]!, sid, Date.now(), ['verb:say', 'verb:gather']))
          traced.push(sid)
      }
    }
    const senders = [sender([a.intake, b.intake]), sender([b.intake, a.intake]), sender([a.intake])]
    const rounds = caseCount(3, 60)
    const random = seededRandom(rounds)
    for (let round = 0; round < rounds; round++) {
      await pause(500 + random(1_500))
      const victim = [engine, a.server, b.server][round % 3]!
      if (victim === engine) {
        await engine.kill()
        await pause(random(2_000))
        await engine.start()
      } else {
        await (victim as Switchroom).kill('SIGKILL')
        await (victim as Switchroom).start()
      }
    }
    running = false
    await Promise.all(senders)
    expect(acknowledged.length).toBeGreaterThan(100)

    const token = await fetchToken(a.server.url)
    const stored = async () => {
      const found: string[] = []
      for (let page = 1; ; page++) {
        const { data, total } = await list(a.server, token, `days=3&page=${page}&count=100`)
        found.push(...data.map(({ call_sid }) => call_sid))
        if (data.length === 0 || found.length >= total) return found
      }
    }
    await expect
      .poll(
        async () => {
          const found = new Set(await stored())
          return acknowledged.filter((sid) => !found.has(sid)).length
        },
        { interval: 1_000 },
      )
      .toBe(0)
    const found = await stored()
    expect(found.length).toBe(new Set(found).size)

    expect(traced.length).toBeGreaterThan(0)
    const spansOf = async (sid: string) => {
      const path = `/Accounts/${ACCOUNT}/RecentCalls/trace/${traceOf(sid)}`
      return spansIn(await api<Trace>(a.server.url, token, 'GET', path))
    }
    for (const sid of traced)
      await expect.poll(() => spansOf(sid).catch((e: Error) => e.message)).toBe(3)
    report({
      part: 'calls acknowledged while ClickHouse and processes are killed',
      tried: acknowledged.length,
      found: { kills: rounds, 'there, once': acknowledged.length, traces: traced.length },
    })
  },
)

it.runIf(process.env.TEST_CLICKHOUSE_URL)('shows calls and figures from ClickHouse', async () => {
  const engine = await startClickHouse()
  stops.push(engine.stop)
  const { server, intake } = await startOn(engine.url)
  const now = Date.now()
  const lines = Array.from({ length: 120 }, (_, i) =>
    lineOf(`call-${i}`, now - i * 100, `+1508555${String(i).padStart(4, '0')}`),
  )
  expect(await send(intake, lines)).toBe(true)
  const page = await openPage()
  await reportFailures(page, 'clickhouse', async () => {
    await logIn(page, server.url)
    await page.getByRole('link', { name: 'Recent calls' }).click()
    await page.getByText('+1 508 555 0000').first().waitFor()
    await expectAccessible(page, 'calls in ClickHouse')
    await page.goto(`${server.url}/internal/dashboard`)
    await page.getByText('120').first().waitFor()
    await page.goto(`${server.url}/internal/system-health`)
    await page.getByText(/About 120 calls since \d{4}-\d\d-\d\d, 1 MB on its disks/).waitFor()
    const stored = page.getByRole('table', { name: 'Stored in ClickHouse' })
    await stored.getByRole('row', { name: /^Calls 120 .* kB \d{4}-\d\d-\d\d$/ }).waitFor()
    await expectAccessible(page, 'system health with ClickHouse')
    await expectNoSidewaysScroll(page, 'system health with ClickHouse')
    expectNoErrors(page)
  })

  const token = await fetchToken(server.url)
  const path = `/Accounts/${ACCOUNT}/RecentCalls/trace/${traceOf('while-away')}`
  // it is away: the page says so, and everything else goes on
  await engine.kill()
  expect(await send(intake, [lineOf('while-away', Date.now())])).toBe(true)
  expect(await sendSpans(intake, 'while-away', Date.now(), ['verb:say'])).toBe(true)
  await page.goto(`${server.url}/internal/recent-calls`)
  await page
    .getByText(/call records \(ClickHouse\) cannot be reached/i)
    .first()
    .waitFor()
  await page.goto(`${server.url}/internal/system-health`)
  await page
    .getByText(/1 MB waits in the data folder, the oldest since .* UTC\. The call records/)
    .waitFor()
  await engine.start()
  await expect
    .poll(() =>
      list(server, token, 'days=3&page=1&count=25').then(
        ({ total }) => total,
        () => 0,
      ),
    )
    .toBe(121)
  await expect.poll(() => api<Trace>(server.url, token, 'GET', path).then(spansIn, () => 0)).toBe(2)
})

it.runIf(process.env.TEST_CLICKHOUSE_URL)(
  'moves what is in the data folder into ClickHouse',
  async () => {
    const engine = await startClickHouse()
    stops.push(engine.stop)
    const { server: before, intake } = await startOn(undefined)
    const now = Date.now()
    const lines = Array.from({ length: 300 }, (_, i) => lineOf(`call-${i}`, now - i * 3_600_000))
    expect(await send(intake, lines)).toBe(true)
    expect(await sendSpans(intake, 'call-0', now, ['verb:say'])).toBe(true)
    await sendSip(intake, 'call-0', now)
    const token = await fetchToken(before.url)
    type Sip = { messages: unknown[] }
    const sipAt = (url: string) =>
      api<Sip>(url, token, 'GET', `/Accounts/${ACCOUNT}/RecentCalls/sip-call-0/sip`)
    await expect.poll(async () => (await sipAt(before.url)).messages.length).toBe(3)
    await before.kill('SIGTERM')

    const copy = async () => {
      const script = ['scripts/telemetry.ts', 'copy', '--from', 'embedded', '--to', 'clickhouse']
      const env = { ...before.env, SWITCHROOM_CLICKHOUSE_URL: engine.url }
      return (await promisify(execFile)(process.execPath, script, { env })).stdout
    }
    const said = await copy()
    expect(said).toMatch(/^call records and alerts: 300 copied, 0 there already$/m)
    expect(said).toMatch(/^spans: 2 copied, 0 there already$/m)
    expect(said).toMatch(/^SIP and RTCP messages: 3 copied, 0 there already$/m)
    expect(await copy()).toMatch(/^call records and alerts: 0 copied, 300 there already$/m)
    const waiting = join(before.shared.SWITCHROOM_DATA, 'telemetry', 'spool', '2026-11-21')
    await mkdir(waiting, { recursive: true })
    const batch = join(waiting, `${'1'.repeat(16)}-${randomUUID()}.batch`)
    await writeFile(batch, '')
    await expect(copy()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('2026-11-21: call records that wait in'),
    })
    await rm(batch)

    const { server } = await startOn(engine.url, before.shared)
    const { total, data } = await list(server, token, 'days=30&page=1&count=25')
    expect([total, data[0]!.call_sid]).toEqual([300, 'call-0'])
    const trace = `/Accounts/${ACCOUNT}/RecentCalls/trace/${traceOf('call-0')}`
    expect(spansIn(await api<Trace>(server.url, token, 'GET', trace))).toBe(2)
    expect((await sipAt(server.url)).messages).toHaveLength(3)
  },
)
