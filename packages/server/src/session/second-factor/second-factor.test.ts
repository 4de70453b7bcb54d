import { api, type SecondFactor, type SecondFactorRequest } from '@switchroom/contract'
import { Secret, TOTP } from 'otpauth'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { slowReads } from '../../../test/slow-reads.ts'
import { hashPassword } from '../../secrets/passwords.ts'

let t: TestApp
afterEach(async () => {
  vi.restoreAllMocks()
  await t.close()
})

const PASSWORD = 'correct horse 1'
const PROOF = { password: PASSWORD }
const hash = hashPassword(PASSWORD)

const setPassword = async (name: string, more: object = {}) =>
  t.db
    .updateTable('users')
    .set({ hashed_password: await hash, ...more })
    .where('user_sid', '=', t.users[name]!)
    .execute()
beforeEach(async () => {
  // shortly after a time step begins, so that none begins during a test
  const { now } = Date
  const shift = 31_000 - (now() % 30_000)
  vi.spyOn(Date, 'now').mockImplementation(() => now() + shift)
  t = await testApp()
  for (const name of ['a1', 'a2', 'sp1', 'admin']) await setPassword(name)
})

const login = (username: string, password = PASSWORD) =>
  t.request('', 'POST', '/login', { username, password })
const tokenOf = async (name: string) => (await login(name)).json().token as string
const secondStep = (body: object) => t.request('', 'POST', '/login/second-factor', body)
const me = (token: string) => t.request(token, 'GET', '/Users/me')

/** A code of now, or of some steps later. */
const codeOf = (secret: string, steps = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 })

/** Sets up an authenticator app with the code of the step before, so that the one of now is unused. */
async function addApp(name: string, token?: string) {
  const as = t.as(token ?? (await tokenOf(name)))
  const { secret } = await as(api.secondFactor.beginTotp, { body: { password: PASSWORD } })
  const body = { code: codeOf(secret, -1) }
  const { recovery_codes } = await as(api.secondFactor.addTotp, { body })
  return { secret, recovery_codes: recovery_codes ?? [] }
}

/** The first step of a log-in whose second step is due. */
async function firstStep(name: string): Promise<SecondFactorRequest> {
  const answer = await login(name)
  expect([answer.statusCode, answer.json().code]).toEqual([403, 'second_factor_required'])
  return answer.json().second_factor
}

const auditOf = () =>
  t.db
    .selectFrom('switchroom_audit')
    .selectAll()
    .where('kind', 'in', ['second_factor', 'second_factor_policy'])
    .orderBy('seq')
    .execute()

describe('an authenticator app', () => {
  it('is asked for at log-in once it is set up', async () => {
    const before = await tokenOf('a1')
    const own = await tokenOf('a1')
    const { secret, recovery_codes } = await addApp('a1', own)
    expect(new Set(recovery_codes).size).toBe(10)
    // sessions that began with the password alone end, except this one
    expect((await me(before)).statusCode).toBe(401)
    expect((await me(own)).statusCode).toBe(200)
    const { ticket, methods } = await firstStep('a1')
    expect(methods).toEqual<SecondFactor[]>(['totp', 'recovery_code'])
    const answer = await secondStep({ ticket, code: codeOf(secret) })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ user_sid: t.users.a1, scope: 'account' })
    expect((await me(answer.json().token)).statusCode).toBe(200)
    expect(t.mails.some((m) => m.to === 'a1@example.com' && /app was added/.test(m.text))).toBe(
      true,
    )
  })

  it('accepts spaces, and codes of one step before and after', async () => {
    const { secret } = await addApp('a1')
    const wrong = codeOf(secret, 3)
    const { ticket } = await firstStep('a1')
    expect((await secondStep({ ticket, code: wrong })).statusCode).toBe(400)
    const next = codeOf(secret, 1)
    const spaced = `${next.slice(0, 3)} ${next.slice(3)}`
    expect((await secondStep({ ticket, code: spaced })).statusCode).toBe(200)
  })

  it('refuses a code that was used, also the one of the set-up and those before it', async () => {
    const { secret } = await addApp('a1')
    const code = codeOf(secret)
    const first = await firstStep('a1')
    const second = await firstStep('a1')
    expect((await secondStep({ ...first, code: codeOf(secret, -1) })).statusCode).toBe(400)
    expect((await secondStep({ ...first, code })).statusCode).toBe(200)
    const replayed = await secondStep({ ...second, code })
    expect(replayed.statusCode).toBe(400)
    expect(replayed.json().msg).toContain('Codes work once')
  })

  it('gives one session to parallel log-ins with one code', async () => {
    const { secret } = await addApp('a1')
    const code = codeOf(secret)
    const tickets = [await firstStep('a1'), await firstStep('a1'), await firstStep('a1')]
    const answers = await Promise.all(tickets.map(({ ticket }) => secondStep({ ticket, code })))
    expect(answers.filter((a) => a.statusCode === 200)).toHaveLength(1)
  })

  it('refuses the code of another user', async () => {
    const { secret } = await addApp('a2')
    await addApp('a1')
    const { ticket } = await firstStep('a1')
    expect((await secondStep({ ticket, code: codeOf(secret) })).statusCode).toBe(400)
  })

  it('locks out who guesses, in parallel too, and a right password does not clear the count', async () => {
    const { secret } = await addApp('a1')
    const { ticket } = await firstStep('a1')
    const right = codeOf(secret)
    const guesses = Array.from({ length: 12 }, (_, i) => String(100_000 + i)).filter(
      (guess) => guess !== right,
    )
    const answers = await Promise.all(guesses.map((code) => secondStep({ ticket, code })))
    const checked = answers.filter((a) => a.statusCode === 400)
    expect(checked.length).toBeLessThan(6)
    const next = await firstStep('a1')
    const late = await secondStep({ ...next, code: right })
    expect(late.statusCode).toBe(403)
    expect(late.json().msg).toContain('Maximum login attempts reached')
  })

  it('allows sixty tries an hour from all networks together', async () => {
    const { secret } = await addApp('a1')
    const { ticket } = await firstStep('a1')
    const hour = Math.floor(Date.now() / 3_600_000)
    for (let i = 0; i < 60; i++)
      await t.ctx.live.increment(`switchroom:second-factor:${t.users.a1}:${hour}`, 60)
    expect((await secondStep({ ticket, code: codeOf(secret) })).statusCode).toBe(429)
  })

  it('is not set up by a stolen session: the password or a factor is needed', async () => {
    const token = await tokenOf('a1')
    for (const body of [{}, { password: 'wrong' }, { code: '123456' }]) {
      const answer = await t.request(token, 'POST', '/Users/me/SecondFactor/Totp/Secret', body)
      expect([answer.statusCode, answer.body.includes('otpauth')]).toEqual([400, false])
    }
    const add = await t.request(token, 'POST', '/Users/me/SecondFactor/Totp', { code: '123456' })
    expect(add.statusCode).toBe(422)
  })

  it('is not finished by what a session began before the password changed', async () => {
    const token = await tokenOf('a1')
    const { secret } = await t.as(token)(api.secondFactor.beginTotp, {
      body: { password: PASSWORD },
    })
    await t.request(token, 'PUT', `/Users/${t.users.a1}`, {
      old_password: PASSWORD,
      new_password: 'another horse 2',
    })
    const body = { code: codeOf(secret) }
    const answer = await t.request(token, 'POST', '/Users/me/SecondFactor/Totp', body)
    expect(answer.statusCode).toBe(422)
  })

  it('is removed with the password or a code, which ends the recovery codes too', async () => {
    const token = await tokenOf('a1')
    const { secret } = await addApp('a1', token)
    const remove = (body: object) =>
      t.request(token, 'POST', '/Users/me/SecondFactor/Totp/Removal', body)
    expect((await remove({})).statusCode).toBe(400)
    expect((await remove({ code: codeOf(secret) })).statusCode).toBe(204)
    expect(await t.as(token)(api.secondFactor.view, {})).toEqual({
      totp_created_at: null,
      passkeys: [],
      recovery_codes_left: 0,
      is_required: false,
      has_password: true,
    })
    expect((await login('a1')).statusCode).toBe(200)
  })

  it('shows its secret once: not in the audit log, the server log, or in plain text in the database', async () => {
    const { secret, recovery_codes } = await addApp('a1')
    const { ticket } = await firstStep('a1')
    await secondStep({ ticket, recovery_code: recovery_codes[0] })
    const entries = await auditOf()
    expect(entries.map((e) => e.action)).toEqual(['update', 'update'])
    const seen = JSON.stringify([
      entries,
      t.mails,
      await t.db.selectFrom('switchroom_totp').selectAll().execute(),
      await t.db.selectFrom('switchroom_recovery_codes').selectAll().execute(),
      await t.db.selectFrom('switchroom_live').selectAll().execute(),
      await t
        .as('a1')(api.users.list, { query: { page: 1 } })
        .catch(() => []),
    ])
    for (const canary of [secret, ticket, ...recovery_codes]) {
      expect(seen).not.toContain(canary)
      expect(seen).not.toContain(canary.replace('-', ''))
      expect(t.lines.join('\n')).not.toContain(canary)
    }
  })

  it('is forgotten with its user', async () => {
    await addApp('a1')
    await t.as('admin')(api.users.remove, { params: { user_sid: t.users.a1! } })
    for (const table of ['switchroom_totp', 'switchroom_recovery_codes'] as const)
      expect(await t.db.selectFrom(table).selectAll().execute()).toEqual([])
  })
})

describe('the first step of a log-in', () => {
  it('gives a ticket that is no session', async () => {
    await addApp('a1')
    const { ticket } = await firstStep('a1')
    for (const [method, path] of [
      ['GET', '/Users/me'],
      ['POST', '/Session/renew'],
      ['GET', '/Users/me/SecondFactor'],
      ['POST', '/Users/me/SecondFactor/RecoveryCodes'],
    ] as const)
      expect(
        (await t.request(ticket, method, path, method === 'POST' ? {} : undefined)).statusCode,
      ).toBe(401)
    for (const body of [{ ticket }, { ticket, code: '' }, { ticket, recovery_code: '' }])
      expect((await secondStep(body)).statusCode).toBe(400)
  })

  it('is good for one session', async () => {
    const { secret } = await addApp('a1')
    const { ticket } = await firstStep('a1')
    expect((await secondStep({ ticket, code: codeOf(secret) })).statusCode).toBe(200)
    const again = await secondStep({ ticket, code: codeOf(secret, 1) })
    expect([again.statusCode, again.json().msg]).toEqual([
      403,
      'This log-in has expired. Log in again.',
    ])
  })

  it('gives one session to parallel second steps', async () => {
    const { secret, recovery_codes } = await addApp('a1')
    const { ticket } = await firstStep('a1')
    slowReads(t)
    const answers = await Promise.all([
      secondStep({ ticket, code: codeOf(secret) }),
      secondStep({ ticket, recovery_code: recovery_codes[0] }),
      secondStep({ ticket, recovery_code: recovery_codes[1] }),
    ])
    expect(answers.map((a) => a.statusCode).sort()).toEqual([200, 403, 403])
  })

  it('is void once the user is gone', async () => {
    const { secret } = await addApp('a1')
    const { ticket } = await firstStep('a1')
    await t.db.deleteFrom('users').where('user_sid', '=', t.users.a1!).execute()
    expect((await secondStep({ ticket, code: codeOf(secret) })).statusCode).toBe(403)
  })

  it.each([
    ['the user', () => t.db.updateTable('users').set({ is_active: 0 })],
    ['the account', () => t.db.updateTable('accounts').set({ is_active: 0 })],
  ])('is void once another process has deactivated %s', async (_, deactivate) => {
    const { secret } = await addApp('a1')
    const { ticket } = await firstStep('a1')
    await deactivate().execute()
    const answer = await secondStep({ ticket, code: codeOf(secret) })
    expect(answer.statusCode).toBe(403)
    expect(answer.json().msg).toContain('is deactivated')
  })

  it.each([
    ['a new password', { initial_password: 'another horse 2', proof: PROOF }],
    ['deactivation', { is_active: 0 as const }],
  ])('is void after %s', async (_, body) => {
    const { secret } = await addApp('a1')
    const { ticket } = await firstStep('a1')
    await t.as('admin')(api.users.update, { params: { user_sid: t.users.a1! }, body })
    expect((await secondStep({ ticket, code: codeOf(secret) })).statusCode).toBe(403)
  })

  it('is the same for a wrong password, with and without a factor', async () => {
    await addApp('a1')
    const [one, other] = [await login('a1', 'wrong'), await login('a2', 'wrong')]
    expect(one.statusCode).toBe(403)
    expect({ ...one.json(), request_id: '' }).toEqual({ ...other.json(), request_id: '' })
  })

  it('is not skipped with a token of a stock server, which asks for no factor', async () => {
    await addApp('a1')
    const { SignJWT } = await import('jose')
    const now = Math.floor(Date.now() / 1000)
    const stock = (user: string) =>
      new SignJWT({
        user_sid: t.users[user],
        scope: 'account',
        account_sid: t.sids[user as 'a1'],
        service_provider_sid: t.sids.sp1,
        permissions: [],
      })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuedAt(now + 1)
        .setExpirationTime(now + 600)
        .sign(new TextEncoder().encode('test-secret'))
    expect((await me(await stock('a2'))).statusCode).toBe(200)
    expect((await me(await stock('a1'))).statusCode).toBe(401)
  })
})

describe('clients that know only a password', () => {
  it('send the code behind a comma', async () => {
    const { secret } = await addApp('a1')
    const refused = await login('a1')
    expect(refused.json().error).toContain('password,123456')
    expect((await login('a1', `${PASSWORD},000000`)).statusCode).toBe(400)
    expect((await login('a1', `wrong,${codeOf(secret)}`)).json().msg).toBe(
      'Login credentials are incorrect',
    )
    const code = codeOf(secret)
    expect((await login('a1', `${PASSWORD},${code}`)).statusCode).toBe(200)
    expect((await login('a1', `${PASSWORD},${code}`)).statusCode).toBe(400)
  })

  it('may have a password that ends like a code', async () => {
    const odd = 'correct horse 1,123456'
    await setPassword('a2', { hashed_password: await hashPassword(odd) })
    expect((await login('a2', odd)).statusCode).toBe(200)
    // the front of it alone is no password, nor is another password with any code behind it
    expect((await login('a2', 'correct horse 1')).statusCode).toBe(403)
    expect((await login('a1', `${PASSWORD},123456`)).statusCode).toBe(403)
  })

  it('spend a try for each password that may be meant', async () => {
    await addApp('a1')
    const { tries } = t.ctx.config.lock_out
    const guess = async (i: number) => (await login('a1', `guess ${i},123456`)).json().msg as string
    for (let i = 1; i < tries / 2; i++)
      expect(await guess(i)).toBe('Login credentials are incorrect')
    expect(await guess(0)).toContain('Maximum login attempts reached')
    expect((await login('a1', `${PASSWORD},123456`)).json().msg).toContain(
      'Maximum login attempts reached',
    )
  })

  it('with such a password are still asked for the second factor', async () => {
    const odd = 'correct horse 1,123456'
    await addApp('a2')
    await setPassword('a2', { hashed_password: await hashPassword(odd) })
    expect((await login('a2', odd)).json().code).toBe('second_factor_required')
  })
})

describe('recovery codes', () => {
  it('log in once each, however they are typed, and tell the user', async () => {
    const { recovery_codes } = await addApp('a1')
    const [code] = recovery_codes
    const { ticket } = await firstStep('a1')
    const typed = ` ${code!.toLowerCase().replace('-', ' ')} `
    expect((await secondStep({ ticket, recovery_code: typed })).statusCode).toBe(200)
    const next = await firstStep('a1')
    const again = await secondStep({ ...next, recovery_code: code })
    expect(again.statusCode).toBe(400)
    expect(t.mails.at(-1)?.text).toContain('A recovery code was used to log in as a1. 9 are left.')
    const [, used] = await auditOf()
    expect(used).toMatchObject({ kind: 'second_factor', sid: t.users.a1, actor: 'a1' })
    expect(JSON.parse(used!.after_values!)).toEqual({ recovery_codes_left: 9 })
  })

  it('are used once by parallel log-ins', async () => {
    const { recovery_codes } = await addApp('a1')
    const tickets = [await firstStep('a1'), await firstStep('a1')]
    const answers = await Promise.all(
      tickets.map(({ ticket }) => secondStep({ ticket, recovery_code: recovery_codes[3] })),
    )
    expect(answers.map((a) => a.statusCode).sort()).toEqual([200, 400])
  })

  it('are replaced with a proof, which ends the old ones', async () => {
    const token = await tokenOf('a1')
    const { recovery_codes: old } = await addApp('a1', token)
    const replace = (body: object) =>
      t.request(token, 'POST', '/Users/me/SecondFactor/RecoveryCodes', body)
    expect((await replace({ password: 'wrong' })).statusCode).toBe(400)
    const fresh: string[] = (await replace({ password: PASSWORD })).json().recovery_codes
    expect(fresh).toHaveLength(10)
    const { ticket } = await firstStep('a1')
    expect((await secondStep({ ticket, recovery_code: old[0] })).statusCode).toBe(400)
    expect((await secondStep({ ticket, recovery_code: fresh[0] })).statusCode).toBe(200)
    expect((await auditOf()).map((e) => e.action)).toEqual(['update', 'update', 'update'])
  })
})

describe('a required second factor', () => {
  const require = () =>
    t.as('sp1')(api.secondFactor.savePolicy, {
      params: { service_provider_sid: t.sids.sp1 },
      body: { is_required: true },
    })

  it('has to be set up before anything else', async () => {
    await require()
    const answer = await login('a1')
    expect(answer.json().second_factor_due).toBe(true)
    const { token } = answer.json()
    for (const path of ['/Applications', `/Accounts/${t.sids.a1}`, '/Users'])
      expect((await t.request(token, 'GET', path)).json().msg).toBe(
        'You must set up a second factor',
      )
    const renewed = await t.request(token, 'POST', '/Session/renew')
    expect(renewed.statusCode).toBe(403)
    expect(await t.as(token)(api.secondFactor.view, {})).toMatchObject({ is_required: true })
    await addApp('a1', token)
    expect((await t.request(token, 'GET', '/Applications')).statusCode).toBe(200)
    const next = await t.as(token)(api.session.renew, {})
    expect((await t.request(next.token, 'GET', '/Applications')).statusCode).toBe(200)
  })

  it('holds for the provider’s users and its accounts’, not for others', async () => {
    await require()
    expect((await login('sp1')).json().second_factor_due).toBe(true)
    expect((await login('a2')).json().second_factor_due).toBe(true)
    expect((await login('admin')).json()).not.toHaveProperty('second_factor_due')
    await t.as('admin')(api.secondFactor.saveAdministratorPolicy, { body: { is_required: true } })
    expect((await login('admin')).json().second_factor_due).toBe(true)
    expect((await auditOf()).map((e) => [e.kind, e.sid])).toEqual([
      ['second_factor_policy', t.sids.sp1],
      ['second_factor_policy', 'system'],
    ])
  })

  it('ends open sessions of those who have none, and no others', async () => {
    const status = async (token: string) => (await me(token)).statusCode
    const [a2, sp1] = [await tokenOf('a2'), await tokenOf('sp1')]
    const a1 = await tokenOf('a1')
    await addApp('a1', a1)
    await require()
    expect([await status(a2), await status(sp1), await status(a1)]).toEqual([401, 401, 200])
    for (const other of ['b1', 'sp2', 'admin']) expect(await status(t.bearer[other]!)).toBe(200)
    // saying so again ends nothing
    const { token } = (await login('sp1')).json()
    await t.as('admin')(api.secondFactor.savePolicy, {
      params: { service_provider_sid: t.sids.sp1 },
      body: { is_required: true },
    })
    expect(await status(token)).toBe(200)
    const admin = await tokenOf('admin')
    await t.as('admin')(api.secondFactor.saveAdministratorPolicy, { body: { is_required: true } })
    expect([await status(admin), await status(t.bearer.b1!)]).toEqual([401, 200])
  })

  it('is asked of sessions that began without one when they are renewed', async () => {
    const token = await tokenOf('a1')
    await t.db
      .insertInto('switchroom_second_factor_policies')
      .values({ owner: t.sids.sp1, is_required: 1 })
      .execute()
    const { token: renewed } = await t.as(token)(api.session.renew, {})
    expect((await t.request(renewed, 'GET', '/Applications')).statusCode).toBe(403)
  })

  it('comes after a forced change of the password', async () => {
    await require()
    await setPassword('a1', { force_change: 1 })
    const token = await tokenOf('a1')
    expect((await t.request(token, 'GET', '/Applications')).json().msg).toBe(
      'You must create a new password',
    )
    const change = { old_password: PASSWORD, new_password: 'another horse 2' }
    expect((await t.request(token, 'PUT', `/Users/${t.users.a1}`, change)).statusCode).toBe(204)
    expect((await t.request(token, 'GET', '/Applications')).json().msg).toBe(
      'You must set up a second factor',
    )
  })

  it('cannot be removed', async () => {
    const token = await tokenOf('a1')
    await addApp('a1', token)
    await require()
    const body = { password: PASSWORD }
    const answer = await t.request(token, 'POST', '/Users/me/SecondFactor/Totp/Removal', body)
    expect(answer.statusCode).toBe(422)
    expect(answer.json().msg).toBe('A second factor is required. Add another one first.')
    expect((await login('a1')).json().code).toBe('second_factor_required')
  })
})

describe('resetting', () => {
  const reset = (who: string, user: string, proof: object = PROOF) =>
    t.request(who, 'DELETE', `/Users/${t.users[user]}/SecondFactor`, proof)

  it('removes all factors, ends the sessions, and is audited and mailed', async () => {
    const token = await tokenOf('a1')
    await addApp('a1', token)
    expect(
      await t.as('sp1')(api.secondFactor.ofUser, { params: { user_sid: t.users.a1! } }),
    ).toEqual({ has_totp: true, passkeys: 0, recovery_codes_left: 10, is_required: false })
    expect((await reset('sp1', 'a1')).statusCode).toBe(204)
    expect((await me(token)).statusCode).toBe(401)
    expect((await login('a1')).statusCode).toBe(200)
    expect(t.mails.at(-1)).toMatchObject({ to: 'a1@example.com' })
    expect(t.mails.at(-1)!.text).toContain('were removed by somebody who manages it')
    const entry = (await auditOf()).at(-1)!
    expect(entry).toMatchObject({ actor: 'sp1', kind: 'second_factor', account_sid: t.sids.a1 })
  })

  it('takes a proof of whoever does it', async () => {
    await addApp('a1')
    const token = await tokenOf('sp1')
    const { secret } = await addApp('sp1', token)
    for (const [proof, member] of [
      [{}, 'password'],
      [{ password: 'wrong' }, 'password'],
      [{ code: '000000' }, 'code'],
    ] as const) {
      const refused = await reset(token, 'a1', proof)
      expect([refused.statusCode, refused.json().issues[0].path]).toEqual([400, [member]])
    }
    expect((await login('a1')).json().code).toBe('second_factor_required')
    expect((await reset(token, 'a1', { code: codeOf(secret) })).statusCode).toBe(204)
    expect((await login('a1')).statusCode).toBe(200)
  })

  it('is for those who manage the user, and for nobody’s own', async () => {
    const own = await tokenOf('a1')
    await addApp('a1', own)
    await addApp('sp1')
    for (const [who, user, status] of [
      ['sp2', 'a1', 404],
      ['a2', 'a1', 404],
      [own, 'sp1', 404],
      [own, 'a1', 403],
      ['sp1-key', 'a1', 404],
      ['sp1-viewer', 'a1', 403],
    ] as const)
      expect([who, (await reset(who, user)).statusCode]).toEqual([who, status])
    expect((await reset('admin', 'admin')).statusCode).toBe(403)
    expect((await login('a1')).json().code).toBe('second_factor_required')
    expect((await login('sp1')).json().code).toBe('second_factor_required')
  })
})

it('is asked for after a reset link, and the session may still only set a password', async () => {
  const { secret } = await addApp('a1')
  await t.request('', 'POST', '/forgot-password', { email: 'a1@example.com' })
  await expect.poll(() => t.mails.some((m) => m.text.includes('/reset-password/'))).toBe(true)
  const mail = t.mails.find((m) => m.text.includes('/reset-password/'))!
  const link = /reset-password\/([\w-]+)/.exec(mail.text)![1]!
  const exchanged = await t.request('', 'POST', '/signin', { link })
  expect(exchanged.json().code).toBe('second_factor_required')
  const { ticket } = exchanged.json().second_factor
  const { token } = (await secondStep({ ticket, code: codeOf(secret) })).json()
  expect((await t.request(token, 'GET', '/Applications')).statusCode).toBe(403)
  const change = { old_password: link, new_password: 'another horse 2' }
  expect((await t.request(token, 'POST', '/change-password', change)).statusCode).toBe(204)
})

it('is asked of those who log in by email in the hosted variant', async () => {
  const h = await testApp({ ENABLE_HOSTED_SYSTEM: '1' })
  const plain = t
  t = h
  await setPassword('a1', { email_validated: 1 })
  const { secret } = await addApp('a1')
  const body = { email: 'a1@example.com', password: PASSWORD }
  const answer = await h.request('', 'POST', '/signin', body)
  expect(answer.json().code).toBe('second_factor_required')
  const { ticket } = answer.json().second_factor
  expect((await secondStep({ ticket, code: codeOf(secret) })).statusCode).toBe(200)
  t = plain
  await h.close()
})
