import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures } from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, type Switchroom, startSwitchroom } from './harness.ts'
import { shareWorld } from './world.ts'

type Row = Record<string, unknown>

describe.each(databasesFor('undo'))('undo on %s', (database) => {
  let server: Switchroom
  let call: <T = Row>(method: string, path: string, body?: object) => Promise<T>
  let account_sid: string
  shareWorld(
    async () => {
      server = await startSwitchroom(database)
      const token = await fetchToken(server.url)
      call = (method, path, body) => api(server.url, token, method, path, body)
      const [account] = await call<{ account_sid: string }[]>('GET', '/Accounts')
      account_sid = account!.account_sid
    },
    async () => {
      await server.stop()
    },
  )

  const newNumber = async (number: string, description: string) =>
    (await call<{ sid: string }>('POST', '/PhoneNumbers', { number, description, account_sid })).sid
  const undo = (page: Page) => page.getByRole('button', { name: 'Undo', exact: true })
  const dismissAll = async (page: Page) => {
    const buttons = page.getByRole('button', { name: 'Dismiss' })
    for (let count = await buttons.count(); count > 0; count = await buttons.count()) {
      // it may also close by itself
      await buttons
        .first()
        .click({ timeout: 4_000 })
        .catch(() => undefined)
      await expect.poll(() => buttons.count()).toBeLessThan(count)
    }
  }
  const open = async (name: string) => {
    const page = await openPage()
    await logIn(page, server.url)
    return {
      page,
      report: (work: () => Promise<void>) => reportFailures(page, `undo-${database}-${name}`, work),
    }
  }

  it('brings a deleted number back with its sid, by keyboard', async () => {
    const sid = await newNumber('15083084900', 'Front desk')
    const before = await call('GET', `/PhoneNumbers/${sid}`)
    const { page, report } = await open('delete')
    await report(async () => {
      await page.goto(`${server.url}/internal/phone-numbers/${sid}/edit`)
      await page.getByRole('button', { name: 'Delete phone number' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete phone number' }).click()
      const notice = page.getByRole('status').filter({ hasText: /Deleted phone number .*308-4900/ })
      await notice.waitFor()
      // nothing waits for the ten seconds
      await expect(call('GET', `/PhoneNumbers/${sid}`)).rejects.toThrow()
      await expectAccessible(page, 'a notice with Undo')
      await page.getByLabel('Filter phone numbers').waitFor()
      await page.keyboard.press('F6')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      expect(await undo(page).evaluate((b) => b === document.activeElement)).toBe(true)
      await page.keyboard.press('Enter')
      await page.getByText(/Undone: deletion of phone number .*308-4900/).waitFor()
      await page.getByRole('row', { name: /308-4900.*Front desk/ }).waitFor()
      await expect.poll(() => undo(page).count()).toBe(0)
    })
    expect(await call('GET', `/PhoneNumbers/${sid}`)).toEqual(before)

    await page.goto(`${server.url}/internal/audit-log?sid=${sid}`)
    await page.getByRole('row', { name: /Added \(undo\) Phone number .*308-4900/ }).waitFor()
    expectNoErrors(page)
    await page.context().close()
  })

  it('takes an edit back with Ctrl Z, but not while a field has the focus', async () => {
    const sid = await newNumber('15083084901', 'Before')
    const stored = async () => (await call('GET', `/PhoneNumbers/${sid}`)).description
    const { page, report } = await open('edit')
    await report(async () => {
      await page.goto(`${server.url}/internal/phone-numbers/${sid}/edit`)
      const field = page.getByLabel('Description')
      const save = async (text: string) => {
        await field.fill(text)
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByText('Phone number updated successfully').waitFor()
        await undo(page).waitFor()
      }
      await save('After')
      await field.focus()
      await page.keyboard.press('Control+z')
      expect(await stored()).toBe('After')
      await dismissAll(page)
      await save('Later')
      await page.getByRole('heading', { level: 1 }).click()
      await page.keyboard.press('Control+z')
      await page.getByText(/Undone: change to phone number .*308-4901/).waitFor()
      await expect.poll(() => field.inputValue()).toBe('After')
      expect(await stored()).toBe('After')
      // undone means saved: the form goes on from there
      await dismissAll(page)
      await save('Last')
      expect(await stored()).toBe('Last')

      // somebody else is faster
      await call('PUT', `/PhoneNumbers/${sid}`, { description: 'Theirs' })
      await undo(page).click()
      await page
        .getByRole('alert')
        .filter({ hasText: 'Not undone. This has changed since.' })
        .waitFor()
      expect(await stored()).toBe('Theirs')
    })
    expectNoErrors(page)
    await page.context().close()
  })

  it('gives each of many numbers its own description back, and says how long', async () => {
    for (const n of [0, 1, 2]) await newNumber(`44207946000${n}`, `Desk ${n}`)
    const { page, report } = await open('many')
    await report(async () => {
      const list = `${server.url}/internal/phone-numbers?filter=44207946000`
      await page.goto(list)
      const describeAll = async () => {
        for (const n of [0, 1, 2]) await page.getByLabel('Select this row').nth(n).check()
        await page.getByRole('toolbar').getByRole('button', { name: 'Describe…' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel('Description').fill('The same')
        await dialog.getByRole('button', { name: 'Describe 3 phone numbers' }).click()
        await page.getByText('3 phone numbers updated').waitFor()
      }
      await describeAll()
      await page
        .getByRole('row', { name: /The same/ })
        .nth(2)
        .waitFor()
      await undo(page).click()
      await page.getByText('Undone: change to 3 phone numbers').waitFor()
      for (const n of [0, 1, 2])
        await page.getByRole('row', { name: new RegExp(`Desk ${n}`) }).waitFor()

      // on a phone, and for ten seconds, which stop while it is looked at
      await page.setViewportSize({ width: 320, height: 640 })
      await page.clock.install()
      await page.goto(list)
      await page.evaluate(() => {
        new MutationObserver((_, observer) => {
          if (!document.querySelector('.toasts .toast button')) return
          document.body.dataset.shownAt = String(Date.now())
          observer.disconnect()
        }).observe(document.body, { childList: true, subtree: true })
      })
      await describeAll()
      await undo(page).waitFor()
      await expectNoSidewaysScroll(page, 'a notice with Undo')
      // no time passes from here on but what the test lets pass
      const shownAt = await page.evaluate(() => Number(document.body.dataset.shownAt))
      await page.clock.pauseAt(shownAt + 9_000)
      expect(await undo(page).count()).toBe(1)
      await undo(page).hover()
      await page.clock.runFor(60_000)
      expect(await undo(page).count()).toBe(1)
      await page.mouse.move(10, 630)
      for (let second = 0; second < 2; second++) await page.clock.runFor(1_000)
      await expect.poll(() => undo(page).count()).toBe(0)
    })
    expectNoErrors(page)
    await page.context().close()
  })

  it('is offered only where it is exact', async () => {
    const hook = (password: string) => ({
      url: 'https://example.com/hook',
      method: 'POST',
      username: 'u',
      password,
    })
    const { sid } = await call<{ sid: string }>('POST', '/Applications', {
      name: 'Secrets',
      account_sid,
      call_hook: hook('CANARY-1'),
      call_status_hook: hook('CANARY-2'),
    })
    const { page, report } = await open('inexact')
    await report(async () => {
      await page.goto(`${server.url}/internal/applications/${sid}/edit`)
      await page.getByLabel('Application name').fill('Renamed')
      await page.getByRole('button', { name: 'Save' }).click()
      await undo(page).click()
      await page.getByText('Undone: change to application Secrets').waitFor()
      await dismissAll(page)

      await page.getByRole('button', { name: 'Delete application' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete application' }).click()
      await page.getByText('Deleted application Secrets').waitFor()
      expect(await undo(page).count()).toBe(0)
    })
    expectNoErrors(page)
    await page.context().close()
  })
})
