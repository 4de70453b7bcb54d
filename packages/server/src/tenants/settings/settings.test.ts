import { api } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

it('keeps platform settings in one row, changing only what is sent', async () => {
  expect(await t.as('admin')(api.settings.systemInformation, {})).toEqual({})
  const save = (body: object) => t.as('admin')(api.settings.saveSystemInformation, { body })
  await save({ domain_name: 'example.com', private_network_cidr: '10.0.0.0/8, 192.168.0.1' })
  expect(await save({ log_level: 'debug' })).toEqual({
    domain_name: 'example.com',
    sip_domain_name: null,
    monitoring_domain_name: null,
    private_network_cidr: '10.0.0.0/8, 192.168.0.1',
    log_level: 'debug',
  })
  expect(await t.db.selectFrom('system_information').selectAll().execute()).toHaveLength(1)
})

it.each(['10.0.0.0/33', '300.1.1.1', '01.2.3.4', '10.0.0.00', '10.0.0.0/8,,', 'x'])(
  'rejects the network %s and names it',
  async (cidr) => {
    await expect(
      t.as('admin')(api.settings.saveSystemInformation, { body: { private_network_cidr: cidr } }),
    ).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/^Invalid private network CIDR "/),
      body: { issues: [{ path: ['private_network_cidr'] }] },
    })
  },
)

it('applies the rules for passwords as soon as they are stored', async () => {
  const body = {
    min_password_length: 10,
    require_digit: 1,
    require_special_character: true,
  } as const
  await t.as('admin')(api.settings.savePasswordSettings, { body })
  const add = (initial_password: string) =>
    t.as('admin')(api.users.create, {
      body: { name: 'x', email: 'x@example.org', initial_password },
    })
  await expect(add('abcdefgh')).rejects.toMatchObject({
    status: 400,
    body: {
      issues: [
        {
          path: ['initial_password'],
          message:
            'Invalid password. Password must: Be at least 10 characters long, Contain at least one number, Contain at least one special character',
        },
      ],
    },
  })
  await add('kvbxqzwh1!')
})

it('refuses what is easy to guess, unless the operator leaves it to the rules', async () => {
  const rules = async () => (await t.as('a1')(api.settings.passwordSettings, {})).weak_passwords
  const add = (name: string) =>
    t.request('admin', 'POST', '/Users', {
      name,
      email: `${name}@example.org`,
      initial_password: 'password',
    })
  expect([await rules(), (await add('one')).statusCode]).toEqual(['refuse', 400])
  await t.close()
  t = await testApp({ SWITCHROOM_WEAK_PASSWORDS: 'allow' })
  expect([await rules(), (await add('one')).statusCode]).toEqual(['allow', 201])
  const csv = 'name,email,scope,password\ntwo,two@example.org,admin,password\n'
  const imported = await t.request('admin', 'POST', '/Users/Import', csv, {
    'content-type': 'text/csv',
  })
  expect(imported.body).toContain('"added":1')
  // the stored rules stand
  await t.as('admin')(api.settings.savePasswordSettings, { body: { min_password_length: 9 } })
  expect((await add('three')).statusCode).toBe(400)
})

it('accepts lengths from 6 to 20, and defaults to 6', async () => {
  const save = (min_password_length: number) =>
    t.as('admin')(api.settings.savePasswordSettings, { body: { min_password_length } })
  for (const length of [5, 21]) await expect(save(length)).rejects.toMatchObject({ status: 400 })
  await save(0)
  const rules = () => t.as('a1')(api.settings.passwordSettings, {})
  expect(await rules()).toMatchObject({ min_password_length: 8 })
  await t.db.deleteFrom('password_settings').execute()
  expect(await rules()).toMatchObject({ min_password_length: 6, require_digit: 0 })
})

it('counts and clears the cached prompts and nothing else', async () => {
  await t.ctx.live.set('tts:a:1', 'x', 60)
  await t.ctx.live.set('tts:2', 'x', 60)
  await t.ctx.live.set('ttsx', 'x', 60)
  expect(await t.as('admin')(api.settings.ttsCache, {})).toEqual({ size: 2 })
  await t.as('admin')(api.settings.clearTtsCache, {})
  expect(await t.as('admin')(api.settings.ttsCache, {})).toEqual({ size: 0 })
  expect(await t.ctx.live.get('ttsx')).toEqual(['x'])
})
