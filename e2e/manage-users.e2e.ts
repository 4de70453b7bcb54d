import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, expectToast, logIn, openPage, reportFailures } from './browser.ts'
import { api, fetchToken, PASSWORD, startSwitchroom } from './harness.ts'

it('lets only some users of an account manage the others', async () => {
  const server = await startSwitchroom('sqlite')
  try {
    const admin = await fetchToken(server.url)
    const [{ account_sid }] = await api<[{ account_sid: string }]>(
      server.url,
      admin,
      'GET',
      '/Accounts',
    )
    const add = (token: string, name: string) =>
      api<{ user_sid: string }>(server.url, token, 'POST', '/Users', {
        ...{ name, email: `${name}@example.org`, initial_password: PASSWORD, force_change: 0 },
        account_sid,
      })
    const ann = await add(admin, 'ann')
    const page = await openPage()
    await reportFailures(page, 'manage-users', async () => {
      // ann manages users, and adds bob, who does not
      await logIn(page, server.url, 'ann')
      await page.goto(`${server.url}/internal/users/add`)
      const manages = page.getByRole('switch', { name: 'Manages users' })
      expect(await manages.isChecked()).toBe(false)
      await page.getByRole('switch', { name: 'View-only user' }).click()
      await manages.waitFor({ state: 'detached' })
      await page.getByRole('switch', { name: 'View-only user' }).click()
      await page.getByLabel('Username').fill('bob')
      await page.getByLabel('Email').fill('bob@example.org')
      await page.getByLabel('Temporary password').fill(PASSWORD)
      await page.getByLabel('Force change of password').uncheck()
      await expectAccessible(page, 'a new user of an account')
      await expectNoSidewaysScroll(page, 'a new user of an account')
      await page.getByRole('button', { name: 'Save' }).click()
      await expectToast(page, 'User created successfully')
      expectNoErrors(page)
      await page.context().close()

      const bobs = await openPage()
      await logIn(bobs, server.url, 'bob')
      await bobs.goto(`${server.url}/internal/users`)
      await bobs.getByRole('row', { name: /ann/ }).waitFor()
      expect(await bobs.getByRole('link', { name: 'Add user' }).count()).toBe(0)
      expect(await bobs.getByLabel('Select this row').count()).toBe(0)
      await bobs.goto(`${server.url}/internal/users/${ann.user_sid}/edit`)
      await bobs.getByLabel('Username').waitFor()
      await bobs.getByText('You may not manage other users of your account').waitFor()
      expect(await bobs.getByRole('button', { name: 'Delete user' }).count()).toBe(0)
      expect(await bobs.getByLabel('Username').isEditable()).toBe(false)

      await bobs.goto(`${server.url}/internal/users/add`)
      await bobs.getByText('You may not manage other users of your account').waitFor()
      expect(await bobs.getByRole('textbox').count()).toBe(0)

      // once ann has given it, bob logs in again and may
      const anns = await fetchToken(server.url, 'ann')
      const [bob] = await api<[{ user_sid: string }]>(server.url, anns, 'GET', '/Users?filter=bob')
      await api(server.url, anns, 'PUT', `/Users/${bob.user_sid}`, { manages_users: 1 })
      await logIn(bobs, server.url, 'bob')
      await bobs.goto(`${server.url}/internal/users`)
      await bobs.getByRole('link', { name: 'Add user' }).waitFor()
      expectNoErrors(bobs)

      // ann sets his password, with her own
      const managing = await openPage()
      await logIn(managing, server.url, 'ann')
      await managing.goto(`${server.url}/internal/users/${bob.user_sid}/edit`)
      await managing.getByLabel('Temporary password').fill('a quiet harbour 8')
      await managing.getByText('The user must choose a new password at the next log-in.').waitFor()
      const save = () => managing.getByRole('button', { name: 'Save', exact: true }).click()
      await save()
      const dialog = managing.getByRole('dialog')
      const own = dialog.getByRole('textbox', { name: 'Your password' })
      await own.waitFor()
      await expectAccessible(managing, 'a proof')
      await managing.setViewportSize({ width: 320, height: 640 })
      await expectNoSidewaysScroll(managing, 'a proof')
      await managing.setViewportSize({ width: 1280, height: 900 })
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })
      // nothing was saved, and nothing is lost
      expect(await managing.getByLabel('Temporary password').inputValue()).toBe('a quiet harbour 8')
      await save()
      await own.fill('not mine')
      await dialog.getByRole('button', { name: 'Set password' }).click()
      await dialog.getByText('password is incorrect').waitFor()
      await own.fill(PASSWORD)
      await dialog.getByRole('button', { name: 'Set password' }).click()
      await expectToast(managing, 'User updated successfully')
      expectNoErrors(managing)
      await managing.context().close()
      await bobs.goto(`${server.url}/internal/users`)
      await bobs.getByText('Your session has expired.').waitFor()
      await bobs.getByLabel('Username').fill('bob')
      await bobs.getByLabel('Password', { exact: true }).fill('a quiet harbour 8')
      await bobs.getByRole('button', { name: 'Log in', exact: true }).click()
      await bobs.getByText('You must create a new password').waitFor()
      await bobs.context().close()
    })
  } finally {
    await server.stop()
  }
})
