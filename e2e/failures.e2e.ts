import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, expectToast, logIn, openPage, reportFailures } from './browser.ts'
import { startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'

const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'

let serial = 0
/** Failed calls, as the platform's components write them. */
async function failCalls(port: number, count: number) {
  const lines = Array.from({ length: count }, () => {
    const tags = `account_sid=${ACCOUNT},service_provider_sid=${SP},answered=false,direction=outbound`
    const ids = `call_sid="call-${++serial}",sip_callid="call-${serial}@pbx",from="15085551234"`
    return `cdrs,${tags},host=10.0.0.1,trunk=Northwind ${ids},to="493012345678",duration=0,sip_status=503 ${Date.now()}${String(serial).padStart(6, '0')}`
  })
  const answer = await fetch(`http://127.0.0.1:${port}/write?db=cdrs&precision=n`, {
    method: 'POST',
    body: lines.join('\n'),
  })
  expect(answer.status).toBe(204)
}

it('gathers failed calls, which are resolved and return', async () => {
  const port = await freePort()
  const server = await startSwitchroom('sqlite', {
    SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${port}`,
  })
  const page = await openPage()
  try {
    await reportFailures(page, 'failures', async () => {
      await failCalls(port, 3)
      await logIn(page, server.url)
      await page.goto(`${server.url}/internal/failures`)
      // its details, which open with it again, are a row as well
      const row = page.getByRole('row', { name: /Northwind answers 503/ }).first()
      const refreshed = async () => {
        await page.getByRole('button', { name: 'Refresh' }).click()
        await row.waitFor({ timeout: 2_000 })
      }
      await expect
        .poll(() =>
          refreshed().then(
            () => true,
            () => false,
          ),
        )
        .toBe(true)
      expect(await row.getByRole('cell').nth(2).innerText()).toBe('3')
      await row.getByRole('button').first().click()
      await page.getByText('Route this prefix over another carrier').waitFor()
      await expectAccessible(page, 'an opened failure')
      await expectNoSidewaysScroll(page, 'an opened failure')
      await page.getByRole('button', { name: 'Assign to me' }).click()
      await expectToast(page, 'Assigned to you')
      await page.getByRole('button', { name: 'Resolve' }).click()
      await expectToast(page, 'Resolved')
      await page.getByText('No open failures.').waitFor()
      await failCalls(port, 1)
      await expect
        .poll(() =>
          refreshed().then(
            () => true,
            () => false,
          ),
        )
        .toBe(true)
      await row.getByText('Returned').waitFor()
      expectNoErrors(page)
    })
  } finally {
    await page.context().close()
    await server.stop()
  }
})
