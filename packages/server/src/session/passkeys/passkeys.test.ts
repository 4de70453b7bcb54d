import { api, type SecondFactorRequest } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { slowReads } from '../../../test/slow-reads.ts'
import { authenticator } from '../../../test/stand-ins/authenticator.ts'
import { hashPassword } from '../../secrets/passwords.ts'

let t: TestApp
afterEach(() => t.close())

const PASSWORD = 'correct horse 1'
const hash = hashPassword(PASSWORD)
beforeEach(async () => {
  t = await testApp()
  for (const name of ['a1', 'a2'])
    await t.db
      .updateTable('users')
      .set({ hashed_password: await hash })
      .where('user_sid', '=', t.users[name]!)
      .execute()
})

const REFUSED = 'This passkey was not accepted.'
const login = (username: string) =>
  t.request('', 'POST', '/login', { username, password: PASSWORD })
const tokenOf = async (name: string) => (await login(name)).json().token as string
const firstStep = async (name: string) =>
  (await login(name)).json().second_factor as SecondFactorRequest

type Authenticator = ReturnType<typeof authenticator>

async function addPasskey(name: string, key: Authenticator, own?: string) {
  const token = own ?? (await tokenOf(name))
  const as = t.as(token)
  const options = await as(api.passkeys.beginAdd, { body: { password: PASSWORD } })
  const body = { name: 'key', credential: key.create(options) }
  return { token, ...(await as(api.passkeys.add, { body })) }
}
const challenge = (ticket: string) => t.as('')(api.passkeys.beginSecondStep, { body: { ticket } })
const secondStep = (body: object) => t.request('', 'POST', '/login/second-factor', body)
const logInAlone = (passkey: object) => t.request('', 'POST', '/login/passkey', { passkey })
const beginLogIn = () => t.as('')(api.passkeys.beginLogIn, {})

describe('a passkey', () => {
  it('is a second factor, with recovery codes like any first one', async () => {
    const key = authenticator()
    const { recovery_codes, token } = await addPasskey('a1', key)
    expect(recovery_codes).toHaveLength(10)
    const { ticket, methods } = await firstStep('a1')
    expect(methods).toEqual(['passkey', 'recovery_code'])
    const options = await challenge(ticket)
    expect(options.allowCredentials).toHaveLength(1)
    // a key that only a touch unlocks will do
    const answer = await secondStep({ ticket, passkey: key.get(options, { verifies: false }) })
    expect(answer.statusCode).toBe(200)
    const { passkeys } = await t.as(token)(api.secondFactor.view, {})
    expect(passkeys).toMatchObject([{ name: 'key', last_used_at: expect.any(String) }])
  })

  it('logs in alone if it has verified its user', async () => {
    const key = authenticator()
    await addPasskey('a1', key)
    const touched = await logInAlone(key.get(await beginLogIn(), { verifies: false }))
    expect([touched.statusCode, touched.json().msg]).toEqual([400, REFUSED])
    const options = await beginLogIn()
    expect(options).toMatchObject({ allowCredentials: [], userVerification: 'required' })
    const answer = await logInAlone(key.get(options))
    expect(answer.json()).toMatchObject({ user_sid: t.users.a1, scope: 'account' })
    expect((await t.request(answer.json().token, 'GET', '/Users/me')).statusCode).toBe(200)
  })

  it('logs nobody in who is deactivated or must change the password', async () => {
    const key = authenticator()
    await addPasskey('a1', key)
    for (const change of [
      { force_change: 1 as const },
      { is_active: 0 as const, force_change: 0 as const },
    ]) {
      await t.db.updateTable('users').set(change).where('user_sid', '=', t.users.a1!).execute()
      expect((await logInAlone(key.get(await beginLogIn()))).statusCode).toBe(403)
    }
  })

  it('logs nobody in who may only log in with single sign-on', async () => {
    const key = authenticator()
    await addPasskey('a1', key)
    await t.db
      .updateTable('users')
      .set({ provider: 'oidc' })
      .where('user_sid', '=', t.users.a1!)
      .execute()
    const answer = await logInAlone(key.get(await beginLogIn()))
    expect(answer.statusCode).toBe(403)
    expect(answer.json().msg).toContain('Passwords and passkeys are off')
  })

  it('is not added if the password was changed since that began', async () => {
    const [old, fresh] = [await tokenOf('a1'), 'Unlike 7 others']
    const options = await t.as(old)(api.passkeys.beginAdd, { body: { password: PASSWORD } })
    const change = { old_password: PASSWORD, new_password: fresh }
    expect((await t.request(old, 'PUT', `/Users/${t.users.a1}`, change)).statusCode).toBe(204)
    const again = await t.request('', 'POST', '/login', { username: 'a1', password: fresh })
    const credential = authenticator().create(options)
    const body = { name: 'key', credential }
    const answer = await t.request(again.json().token, 'POST', '/Users/me/Passkeys', body)
    expect([answer.statusCode, answer.json().msg]).toEqual([400, REFUSED])
  })

  it('logs in once with one challenge, of two requests at once', async () => {
    const key = authenticator()
    await addPasskey('a1', key)
    const signed = key.get(await beginLogIn())
    const reads = slowReads(t)
    const answers = await Promise.all([logInAlone(signed), logInAlone(signed)])
    reads.mockRestore()
    expect(answers.map((a) => a.statusCode).sort()).toEqual([200, 400])
  })

  it('is bound to the console’s own address', async () => {
    const key = authenticator()
    const token = await tokenOf('a1')
    const as = t.as(token)
    for (const how of [{ origin: 'http://evil.test' }, { rpId: 'evil.test' }]) {
      const options = await as(api.passkeys.beginAdd, { body: { password: PASSWORD } })
      const body = { name: 'key', credential: key.create(options, how) }
      const host = { host: 'evil.test', 'x-forwarded-host': 'evil.test' }
      const answer = await t.request(token, 'POST', '/Users/me/Passkeys', body, host)
      expect([answer.statusCode, answer.json().msg]).toEqual([400, REFUSED])
    }
    await addPasskey('a1', key, token)
    for (const how of [{ origin: 'http://evil.test' }, { rpId: 'evil.test' }])
      expect((await logInAlone(key.get(await beginLogIn(), how))).statusCode).toBe(400)
  })

  it('is refused with a challenge that was used, or that the server did not make', async () => {
    const key = authenticator()
    await addPasskey('a1', key)
    const options = await beginLogIn()
    const assertion = key.get(options)
    expect((await logInAlone(assertion)).statusCode).toBe(200)
    expect((await logInAlone(assertion)).statusCode).toBe(400)
    expect((await logInAlone(key.get(options))).statusCode).toBe(400)
    expect((await logInAlone(key.get({ ...options, challenge: 'AAAA' }))).statusCode).toBe(400)
    const twice = key.get(await beginLogIn())
    const answers = await Promise.all([logInAlone(twice), logInAlone(twice)])
    expect(answers.map((a) => a.statusCode).sort()).toEqual([200, 400])
  })

  it('is refused with a challenge for something else, or for someone else', async () => {
    const [key, other] = [authenticator(), authenticator()]
    const { token } = await addPasskey('a1', key)
    await addPasskey('a2', other)
    const { ticket } = await firstStep('a1')
    const { ticket: another } = await firstStep('a1')
    const { ticket: others } = await firstStep('a2')
    const attempts = [
      // a challenge of log-in alone, of another ticket, of another user, of a change of factors
      key.get({ ...(await beginLogIn()) }, { verifies: false }),
      key.get(await challenge(another)),
      key.get(await challenge(others)),
      key.get(await t.as(token)(api.passkeys.beginProof, {})),
      // another user's passkey
      other.get(await challenge(ticket)),
    ]
    for (const passkey of attempts)
      expect((await secondStep({ ticket, passkey })).statusCode).toBe(400)
    expect((await logInAlone(key.get(await challenge(ticket)))).statusCode).toBe(400)
    const own = key.get(await challenge(ticket))
    expect((await secondStep({ ticket, passkey: own })).statusCode).toBe(200)
  })

  it('is refused with a signature of another key, or without a challenge', async () => {
    const [key, other] = [authenticator(), authenticator()]
    await addPasskey('a1', key)
    const options = await beginLogIn()
    const assertion = key.get(options)
    const { signature } = other.get(options).response
    const response = { ...assertion.response, signature }
    expect((await logInAlone({ ...assertion, response })).statusCode).toBe(400)
    for (const text of ['{}', 'null', 'x', '{"challenge":1}']) {
      const clientDataJSON = Buffer.from(text).toString('base64url')
      const odd = { ...assertion, response: { ...assertion.response, clientDataJSON } }
      expect((await logInAlone(odd)).statusCode).toBe(400)
    }
  })

  it('is refused when it claims another user', async () => {
    const [key, other] = [authenticator(), authenticator()]
    await addPasskey('a1', key)
    await addPasskey('a2', other)
    const assertion = key.get(await beginLogIn())
    const { userHandle } = other.get(await beginLogIn()).response
    const forged = { ...assertion, response: { ...assertion.response, userHandle } }
    expect((await logInAlone(forged)).statusCode).toBe(400)
  })

  it('is not added by a stolen session, nor with another user’s challenge, nor twice', async () => {
    const key = authenticator()
    const [token, other] = [await tokenOf('a1'), await tokenOf('a2')]
    for (const body of [{}, { password: 'wrong' }])
      expect((await t.request(token, 'POST', '/Users/me/Passkeys/Options', body)).statusCode).toBe(
        400,
      )
    const options = await t.as(other)(api.passkeys.beginAdd, { body: { password: PASSWORD } })
    const add = (credential: object, by = token) =>
      t.request(by, 'POST', '/Users/me/Passkeys', { name: 'key', credential })
    expect((await add(key.create(options))).statusCode).toBe(400)
    await addPasskey('a1', key, token)
    const again = await t.as(other)(api.passkeys.beginAdd, { body: { password: PASSWORD } })
    expect((await add(key.create(again), other)).statusCode).toBe(400)
  })

  it('proves its user before factors change, and is removed by its user only', async () => {
    const key = authenticator()
    const { token, passkey_sid } = await addPasskey('a1', key)
    const { token: other } = await addPasskey('a2', authenticator())
    const remove = (by: string, body: object) =>
      t.request(by, 'POST', `/Users/me/Passkeys/${passkey_sid}/Removal`, body)
    expect((await remove(other, { password: PASSWORD })).statusCode).toBe(404)
    expect((await remove(token, {})).statusCode).toBe(400)
    const proof = await t.as(token)(api.passkeys.beginProof, {})
    expect((await remove(token, { passkey: key.get(proof) })).statusCode).toBe(204)
    expect((await login('a1')).statusCode).toBe(200)
    expect((await logInAlone(key.get(await beginLogIn()))).statusCode).toBe(400)
  })

  it('is renamed by its user only, view-only or not, and audited', async () => {
    const viewer = t.users['a1-viewer']!
    await t.db
      .updateTable('users')
      .set({ hashed_password: await hash })
      .where('user_sid', '=', viewer)
      .execute()
    const { token, passkey_sid } = await addPasskey('a1-viewer', authenticator())
    const { token: other } = await addPasskey('a2', authenticator())
    const rename = (by: string, name: string, sid = passkey_sid) =>
      t.request(by, 'PUT', `/Users/me/Passkeys/${sid}`, { name })
    const names = async (by: string) =>
      (await t.as(by)(api.secondFactor.view, {})).passkeys.map((p) => p.name)
    for (const by of [other, 'admin', 'sp1', 'a1-key'])
      expect((await rename(by, 'mine')).statusCode, by).toBe(404)
    expect((await rename(token, 'missing', t.sids.a1)).statusCode).toBe(404)
    expect((await rename(token, ' ')).json().issues).toEqual([
      { path: ['name'], message: 'Enter a name' },
    ])
    expect(await names(token)).toEqual(['key'])
    // the same name again changes nothing, and is no error
    for (const name of ['Work laptop', 'Work laptop'])
      expect((await rename(token, name)).statusCode).toBe(204)
    expect(await names(token)).toEqual(['Work laptop'])
    expect(await names(other)).toEqual(['key'])
    const { data } = await t.as('a1')(api.audit.list, { query: { page: 1, sid: viewer } })
    expect(data.map((entry) => entry.after)).toEqual([
      { passkeys: ['Work laptop'] },
      expect.objectContaining({ passkeys: ['key'] }),
    ])
  })

  it('whose counter went back was copied, and is refused', async () => {
    const key = authenticator()
    await addPasskey('a1', key)
    await t.db.updateTable('switchroom_passkeys').set({ counter: 50 }).execute()
    expect((await logInAlone(key.get(await beginLogIn()))).statusCode).toBe(400)
  })

  it('is one of twenty at most', async () => {
    const { token } = await addPasskey('a1', authenticator())
    const row = await t.db.selectFrom('switchroom_passkeys').selectAll().executeTakeFirstOrThrow()
    for (let i = 0; i < 19; i++)
      await t.db
        .insertInto('switchroom_passkeys')
        .values({ ...row, passkey_sid: `${i}`, credential_hash: `${i}` })
        .execute()
    const body = { password: PASSWORD }
    const answer = await t.request(token, 'POST', '/Users/me/Passkeys/Options', body)
    expect(answer.statusCode).toBe(422)
  })

  it('gets 600 challenges an hour for strangers of one network', async () => {
    const hour = Math.floor(Date.now() / 3_600_000)
    const ask = async (remoteAddress: string) =>
      (
        await t.app.inject({
          method: 'POST',
          url: '/api/v1/login/passkey/challenge',
          remoteAddress,
        })
      ).statusCode
    for (const network of ['192.0.2.1/32', '2001:db8::/64'])
      for (const h of [hour, hour + 1])
        await t.ctx.live.set(`switchroom:passkey-challenges:${network}:${h}`, '600', 60)
    expect(await ask('192.0.2.1')).toBe(429)
    expect(await ask('192.0.2.2')).toBe(200)
    // one customer has all addresses of a /64
    expect(await ask('2001:db8::7')).toBe(429)
    expect(await ask('2001:db8:0:1::7')).toBe(200)
  })

  it('satisfies a required second factor', async () => {
    await t.as('sp1')(api.secondFactor.savePolicy, {
      params: { service_provider_sid: t.sids.sp1 },
      body: { is_required: true },
    })
    const key = authenticator()
    const { token } = await addPasskey('a1', key)
    expect((await t.request(token, 'GET', '/Applications')).statusCode).toBe(200)
    const alone = await logInAlone(key.get(await beginLogIn()))
    expect(alone.json()).not.toHaveProperty('second_factor_due')
  })
})

it.each([
  ['https://console.example.com', 'console.example.com', 'https://console.example.com'],
  ['http://127.0.0.1:3000', 'localhost', 'http://localhost:3000'],
  ['http://192.0.2.7:3000', null, ''],
])('at %s passkeys are bound to %s', async (base_url, host, origin) => {
  t.ctx.config.base_url = base_url
  expect((await t.as('')(api.system.capabilities, {})).passkey_host).toBe(host)
  const token = await tokenOf('a1')
  const begun = await t.request(token, 'POST', '/Users/me/Passkeys/Options', { password: PASSWORD })
  if (host === null) return expect(begun.json().msg).toContain('JAMBONZ_BASE_URL')
  const body = { name: 'key', credential: authenticator(origin).create(begun.json()) }
  expect((await t.request(token, 'POST', '/Users/me/Passkeys', body)).statusCode).toBe(200)
})
