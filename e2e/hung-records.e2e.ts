import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures } from './browser.ts'
import { startSwitchroom } from './harness.ts'
import { until } from './wait.ts'

const time = new Date().toISOString()
/** One call and one alert as InfluxDB returns them. */
const RESULTS: [RegExp, object][] = [
  [
    /^SELECT COUNT\(sip_callid\) AS/,
    {
      tags: { answered: 'true', trunk: 'North' },
      columns: ['time', 'calls', 'seconds', 'timed'],
      values: [[time, 1, 9, 1]],
    },
  ],
  [/^SELECT COUNT/, { columns: ['time', 'count'], values: [[time, 1]] }],
  [
    /^SELECT \* FROM cdrs/,
    {
      columns: ['time', 'from', 'to', 'answered', 'call_sid'],
      values: [[time, '15085550100', '442079460958', 'true', 'c1']],
    },
  ],
  [/^SELECT sip_callid FROM cdrs/, { columns: ['time', 'sip_callid'], values: [[time, 'a']] }],
  [
    /^SELECT \* FROM alerts/,
    {
      columns: ['time', 'message', 'alert_type'],
      values: [[time, 'the hook failed', 'webhook-failure']],
    },
  ],
]

/** An InfluxDB that, when `hangs` is set, accepts every query and answers none. */
async function startInflux() {
  const state = { hangs: false }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (state.hangs) return
    const statements = (new URLSearchParams(body).get('q') ?? '').split('; ')
    const results = statements.map((statement) => {
      const series = RESULTS.find(([pattern]) => pattern.test(statement))?.[1]
      return series ? { series: [series] } : {}
    })
    response.end(JSON.stringify({ results }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    state,
    host: `127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const screens = [
  ['Recent calls', 'The call records (InfluxDB)', /\(508\) 555-0100|15085550100/],
  ['Alerts', 'The alerts (InfluxDB)', /the hook failed/],
  ['Dashboard', 'The call records (InfluxDB)', /North/],
] as const

async function openScreen(page: Page, name: string) {
  const link = (menu: string) =>
    page.getByRole('navigation', { name: menu }).getByRole('link', { name: new RegExp(`^${name}`) })
  await link('Main').click()
  // its place begins with the inbox, which shows them too
  if (name !== 'Alerts') return
  await link(name).click()
  await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
}

it('reports an InfluxDB that hangs, keeps what was shown, and recovers', async () => {
  const store = await startInflux()
  const server = await startSwitchroom('sqlite', { JAMBONES_TIME_SERIES_HOST: store.host })
  const page = await openPage()
  try {
    await reportFailures(page, 'hung-records', async () => {
      await page.clock.install()
      await logIn(page, server.url)
      for (const [name, who, row] of screens) {
        const shown = page.getByRole('main').getByText(row).first()
        // the error shown in place of the list; the toast stays until it is dismissed
        const error = page
          .getByRole('main')
          .getByRole('alert')
          .filter({ hasText: `${who} did not answer within 5 seconds` })
        const retry = error.getByRole('button', { name: 'Try again' })
        store.state.hangs = false
        await openScreen(page, name)
        await shown.waitFor()
        store.state.hangs = true
        const refresh = page.getByRole('button', { name: 'Refresh' })
        if (await refresh.count()) await refresh.click()
        else {
          // it has no such button: returning later shows the earlier data and the error
          await openScreen(page, 'Applications')
          await page.clock.fastForward(2_500)
          await openScreen(page, name)
        }
        await error.waitFor()
        await shown.waitFor()
        await expectAccessible(page, `${name}, with what is old`)
        await expectNoSidewaysScroll(page, `${name}, with what is old`)
        // a question on its way when the store recovers still fails; people then try again
        const recover = async () => {
          store.state.hangs = false
          await until(
            async () => {
              // pressed as it is found: an answer may take it away meanwhile
              await retry.evaluateAll((there) => {
                for (const button of there) (button as HTMLElement).click()
              })
              await error.or(shown).first().waitFor()
              return !(await error.isVisible()) && (await shown.isVisible())
            },
            () => `${name} does not recover`,
          )
        }
        await recover()
        // without earlier data only the error is shown
        store.state.hangs = true
        await page.reload()
        await error.waitFor()
        // the same part of every screen
        if (name === screens[0][0]) await expectAccessible(page, `${name}, with nothing`)
        await recover()
      }
      store.state.hangs = true
      const ready = async () => {
        const answer = await fetch(`${server.url}/ready`)
        return [answer.status, await answer.json()]
      }
      const msg = 'InfluxDB is failing.'
      await expect
        .poll(ready)
        .toEqual([200, { ready: true, failing: [], degraded: ['influxdb'], msg }])
      expectNoErrors(page)
    })
  } finally {
    await page.context().close()
    await server.stop()
    store.close()
  }
})
