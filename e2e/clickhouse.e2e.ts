import { afterEach, expect, it } from 'vitest'
import { caseCount, report } from '../packages/server/test/trust.ts'
import { expectAccessible } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures } from './browser.ts'
import { startClickHouse } from './clickhouse.ts'
import { api, fetchToken, type Switchroom, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const PROVIDER = '2708b1b3-2736-40ea-b502-c53d8396247f'
const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
type Call = { call_sid: string; from: string }
type Page = { total: number; data: Call[] }

async function startOn(url: string, shared: Record<string, string> = {}) {
  const port = await freePort()
  const server = await startSwitchroom('sqlite', {
    ...shared,
    SWITCHROOM_CLICKHOUSE_URL: url,
    SWITCHROOM_INGEST_INFLUX: String(port),
  })
  stops.push(server.stop)
  return { server, intake: `http://127.0.0.1:${port}` }
}

const lineOf = (sid: string, ms: number, from = '+15085550100') =>
  `cdrs,account_sid=${ACCOUNT},service_provider_sid=${PROVIDER},answered=true,direction=inbound,host=10.0.0.1,trunk=carrier ` +
  `call_sid="${sid}",sip_callid="sip-${sid}",from="${from}",to="+15085550199",sip_status=200,duration=12,answered_at=${ms + 900} ${ms}000000`

/** Whether the points were acknowledged. */
const send = (intake: string, lines: string[]) =>
  fetch(`${intake}/write?db=cdrs&precision=n`, { method: 'POST', body: lines.join('\n') }).then(
    (answer) => answer.status === 204,
    () => false,
  )

const list = ({ url }: Switchroom, token: string, query: string) =>
  api<Page>(url, token, 'GET', `/Accounts/${ACCOUNT}/RecentCalls?days=3&${query}`)

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
    const sender = async (intakes: string[]) => {
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
          await new Promise((r) => setTimeout(r, 250))
        }
      }
    }
    const senders = [sender([a.intake, b.intake]), sender([b.intake, a.intake]), sender([a.intake])]
    const rounds = caseCount(3, 60)
    for (let round = 0; round < rounds; round++) {
      await new Promise((r) => setTimeout(r, 500 + Math.random() * 1_500))
      const victim = [engine, a.server, b.server][round % 3]!
      if (victim === engine) {
        await engine.kill()
        await new Promise((r) => setTimeout(r, Math.random() * 2_000))
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
        const { data, total } = await list(a.server, token, `page=${page}&count=100`)
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
        { timeout: 60_000, interval: 1_000 },
      )
      .toBe(0)
    const found = await stored()
    expect(found.length).toBe(new Set(found).size)
    report({
      part: 'calls acknowledged while ClickHouse and processes are killed',
      tried: acknowledged.length,
      found: { kills: rounds, 'there, once': acknowledged.length },
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
    await expectAccessible(page, 'system health with ClickHouse')
    expectNoErrors(page)
  })

  // it is away: the page says so, and everything else goes on
  await engine.kill()
  expect(await send(intake, [lineOf('while-away', Date.now())])).toBe(true)
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
  const token = await fetchToken(server.url)
  await expect
    .poll(
      () =>
        list(server, token, 'page=1&count=25').then(
          ({ total }) => total,
          () => 0,
        ),
      { timeout: 30_000 },
    )
    .toBe(121)
})
