import { randomUUID } from 'node:crypto'
import {
  ACTIVATION_CODE_INVALID,
  api,
  CLIENT_CODE_REJECTED,
  EMAIL_NOT_VERIFIED,
  INVITE_CODE_INVALID,
  PHONE_NOT_SUPPORTED,
} from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { recordStatements } from '../../../test/statements.ts'
import type { Tables } from '../../db/open.ts'
import { PERSONAL, TOO_EASY } from '../../secrets/guessable-password.ts'
import { hashPassword } from '../../secrets/passwords.ts'

const recorded = recordStatements()
let t: TestApp
const PASSWORD = 'canary horse 1'
const ROOT = 'sip.example.com'

beforeEach(async () => {
  t = await testApp(
    { ENABLE_HOSTED_SYSTEM: '1', ENABLE_FORGOT_PASSWORD: '1' },
    undefined,
    recorded.tracing,
  )
  await t.db
    .updateTable('service_providers')
    .set({ root_domain: ROOT })
    .where('service_provider_sid', '=', t.sids.sp1)
    .execute()
})
afterEach(async () => {
  vi.useRealTimers()
  await t.close()
})

const register = (email: string, more: object = {}, who = '') =>
  t.request(who, 'POST', '/register', {
    provider: 'local',
    service_provider_sid: t.sids.sp1,
    email,
    password: PASSWORD,
    ...more,
  })
const mailTo = (email: string, nth = 0) =>
  vi.waitUntil(() => t.mails.filter((m) => m.to === email)[nth], { timeout: 60_000 })
const codeIn = (text: string) => /^(\d{6})$/m.exec(text)![1]!
const verifyCode = (user_sid: string, code: string) =>
  t.request('', 'PUT', `/ActivationCode/${code}`, { user_sid, type: 'email' })
/** Registers and proves the address. */
const signUp = async (email: string) => {
  const answer = (await register(email)).json()
  const code = codeIn((await mailTo(email)).text)
  expect((await verifyCode(answer.user_sid, code)).statusCode).toBe(204)
  return answer as { jwt: string; user_sid: string; account_sid: string }
}
const count = async (table: keyof Tables & string) =>
  (await t.db.selectFrom(table).selectAll().execute()).length
const otherCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

it.each([
  ['registering', 60, () => register('jane@example.com', { password: 'x' })],
  [
    'beginning to sign in elsewhere',
    300,
    () =>
      t.request('', 'POST', '/Authorizations', {
        provider: 'github',
        locationBeforeAuth: '/register',
      }),
  ],
] as const)('%s is limited to %i times an hour from one network', async (_, most, ask) => {
  // the count restarts with the hour
  vi.useFakeTimers({ toFake: ['Date'] })
  const statuses: number[] = []
  for (let i = 0; i <= most; i++) statuses.push((await ask()).statusCode)
  expect(statuses.slice(0, -1)).not.toContain(429)
  expect(statuses.at(-1)).toBe(429)
})

describe('registering by email', () => {
  it('creates nothing before the code, then a complete account', async () => {
    const before = [await count('users'), await count('accounts')]
    const answer = await register('Jane@Example.com')
    expect(answer.statusCode).toBe(200)
    const body = answer.json()
    expect(body).toMatchObject({
      email: 'jane@example.com',
      provider: 'local',
      root_domain: ROOT,
      pristine: true,
      is_active: false,
      email_validated: false,
    })
    expect([await count('users'), await count('accounts')]).toEqual(before)
    expect((await t.request(body.jwt, 'GET', '/Users/me')).statusCode).toBe(401)
    const { text } = await mailTo('jane@example.com')
    expect((await verifyCode(body.user_sid, codeIn(text))).statusCode).toBe(204)

    const me = (await t.request(body.jwt, 'GET', '/Users/me')).json()
    expect(me).toMatchObject({
      user: { user_sid: body.user_sid, email: 'jane@example.com', email_validated: true },
      account: {
        account_sid: body.account_sid,
        is_active: 1,
        plan_type: 'trial',
        sip_realm: null,
        root_domain: ROOT,
        device_calling_application_sid: null,
      },
    })
    expect(me.account.webhook_secret).toMatch(/^wh_secret_\w{22}$/)
    const days = (Date.parse(me.account.trial_end_date) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(20)
    expect(days).toBeLessThan(21.1)

    const products = await t.db
      .selectFrom('account_subscriptions as s')
      .innerJoin(
        'account_products as p',
        'p.account_subscription_sid',
        's.account_subscription_sid',
      )
      .innerJoin('products', 'products.product_sid', 'p.product_sid')
      .select(['products.category', 'p.quantity', 's.pending', 's.effective_end_date'])
      .where('s.account_sid', '=', body.account_sid)
      .orderBy('products.category')
      .execute()
    expect(products.map((p) => [p.category, p.quantity]).sort()).toEqual([
      ['device', 0],
      ['voice_call_session', 5],
    ])
    expect(products[0]).toMatchObject({ pending: 0, effective_end_date: null })

    expect(me.subscription).toMatchObject({
      status: 'active',
      products: [
        { name: 'concurrent call session', quantity: 5 },
        { name: 'registered device', quantity: 0 },
      ],
    })
    const limits = await t.db
      .selectFrom('account_limits')
      .select(['category', 'quantity'])
      .where('account_sid', '=', body.account_sid)
      .execute()
    expect(limits).toContainEqual({ category: 'voice_call_session', quantity: 5 })

    const applications = (await t.request(body.jwt, 'GET', '/Applications?page=1')).json().data
    expect(applications.map((a: { name: string }) => a.name).sort()).toEqual([
      'dial time clock',
      'hello world',
      'simple echo test',
    ])
    for (const a of applications) {
      expect(a).toMatchObject({
        speech_synthesis_voice: 'en-US-Wavenet-C',
        speech_recognizer_vendor: 'google',
        call_status_hook: { url: 'https://public-apps.jambonz.cloud/call-status' },
      })
      expect(a.call_hook.url).toMatch(/jambonz\.cloud\/(hello-world|dial-time|echo)$/)
    }
    const entries = await t.db
      .selectFrom('switchroom_audit')
      .select(['kind', 'action', 'account_sid', 'actor'])
      .execute()
    expect(entries).toEqual([
      {
        kind: 'account',
        action: 'create',
        account_sid: body.account_sid,
        actor: 'jane@example.com',
      },
      { kind: 'user', action: 'create', account_sid: body.account_sid, actor: 'jane@example.com' },
    ])
  })

  it('gives a returning user no second trial', async () => {
    const { jwt, account_sid } = await signUp('jane@example.com')
    const remove = () =>
      t.request(jwt, 'DELETE', `/Accounts/${account_sid}`, { password: PASSWORD })
    expect((await remove()).json()).toMatchObject({
      code: 'in_use',
      used_by: [{ kind: 'Applications', total: 3 }],
    })
    for (const { application_sid } of (await t.request(jwt, 'GET', '/Applications')).json())
      await t.request(jwt, 'DELETE', `/Applications/${application_sid}`)
    expect((await remove()).statusCode).toBe(204)
    t.mails.length = 0
    const again = await signUp('jane@example.com')
    const me = (await t.request(again.jwt, 'GET', '/Users/me')).json()
    expect(me.account.plan_type).toBe('free')
  })

  it('creates everything or nothing', async () => {
    const { user_sid } = (await register('jane@example.com')).json()
    const code = codeIn((await mailTo('jane@example.com')).text)
    // the user is inserted last, and its name is taken by then
    await t.db
      .insertInto('users')
      .values({ user_sid, name: 'x', email: 'x@example.com', provider: 'local' })
      .execute()
    const tables = ['accounts', 'webhooks', 'applications', 'account_subscriptions'] as const
    const counts = () => Promise.all([...tables, 'account_limits' as const].map(count))
    const before = await counts()
    expect((await verifyCode(user_sid, code)).statusCode).toBe(422)
    expect(await counts()).toEqual(before)
    expect(await t.db.selectFrom('signup_history').selectAll().execute()).toEqual([])
    expect(await t.db.selectFrom('switchroom_audit').selectAll().execute()).toEqual([])
  })

  it('rejects invalid input and names the field', async () => {
    const refused = async (body: object) => {
      const answer = await t.request('', 'POST', '/register', body)
      return [answer.statusCode, answer.json().msg, answer.json().issues[0]?.path[0]]
    }
    const local = { provider: 'local', service_provider_sid: t.sids.sp1 }
    expect(await refused({})).toEqual([400, 'missing provider', 'provider'])
    expect(await refused({ ...local, provider: 'twitter' })).toEqual([
      400,
      'twitter is not a valid OAuth provider',
      'provider',
    ])
    expect(await refused(local)).toEqual([400, 'missing email or password', 'email'])
    expect(await refused({ ...local, email: 'x', password: PASSWORD })).toEqual([
      400,
      'invalid email',
      'email',
    ])
    const short = await refused({ ...local, email: 'a@b.example', password: 'a1' })
    expect(short).toEqual([400, expect.stringContaining('at least 8 characters'), 'password'])
    const common = await refused({ ...local, email: 'a@b.example', password: 'password1' })
    expect(common).toEqual([400, TOO_EASY, 'password'])
    const own = { email: 'jane.doe@b.example', password: 'jane.doe@b' }
    expect(await refused({ ...local, ...own })).toEqual([400, PERSONAL, 'password'])
    const elsewhere = { email: 'a@b.example', service_provider_sid: randomUUID() }
    expect((await register(elsewhere.email, elsewhere)).json()).toMatchObject({
      msg: 'invalid service_provider_sid',
    })
    const domainless = await register('a@b.example', { service_provider_sid: t.sids.sp2 })
    expect(domainless.statusCode).toBe(503)
    expect(domainless.json().msg).toMatch(/^Registration is not set up .* contact support/)
    expect(domainless.body).not.toMatch(new RegExp(`root_domain|${t.sids.sp2}`))
  })

  it('registers with the configured provider and no other', async () => {
    const o = await testApp({
      ENABLE_HOSTED_SYSTEM: '1',
      DEFAULT_SERVICE_PROVIDER_SID: randomUUID(),
    })
    const answer = await o.request('', 'POST', '/register', {
      provider: 'local',
      email: 'jane@example.com',
      password: PASSWORD,
      service_provider_sid: o.sids.sp1,
    })
    expect(answer.statusCode).toBe(422)
    const misconfigured = await o.request('', 'POST', '/register', {
      provider: 'local',
      email: 'jane@example.com',
      password: PASSWORD,
    })
    expect([misconfigured.statusCode, misconfigured.json().msg]).toEqual([
      503,
      expect.stringMatching(/^Registration is not set up/),
    ])
    await o.close()
  })

  it('reports that email is not configured', async () => {
    t.ctx.mail = undefined
    expect((await register('jane@example.com')).statusCode).toBe(503)
  })
})

describe('a code', () => {
  it('works once', async () => {
    const { user_sid } = (await register('jane@example.com')).json()
    const code = codeIn((await mailTo('jane@example.com')).text)
    const before = await count('accounts')
    const answers = await Promise.all([1, 2, 3].map(() => verifyCode(user_sid, code)))
    expect(answers.map((a) => a.statusCode).sort()).toEqual([204, 400, 400])
    expect((await verifyCode(user_sid, code)).json().msg).toBe(ACTIVATION_CODE_INVALID)
    expect(await count('accounts')).toBe(before + 1)
  })

  it('cannot be guessed: it is void after five tries, even concurrent ones', async () => {
    const { user_sid } = (await register('jane@example.com')).json()
    const code = codeIn((await mailTo('jane@example.com')).text)
    const guesses = Array.from({ length: 5 }, (_, i) => otherCode(String(Number(code) + i)))
    const answers = await Promise.all(guesses.map((guess) => verifyCode(user_sid, guess)))
    for (const answer of answers)
      expect([answer.statusCode, answer.json().msg]).toEqual([400, ACTIVATION_CODE_INVALID])
    const right = await verifyCode(user_sid, code)
    expect([right.statusCode, right.json().msg]).toEqual([400, ACTIVATION_CODE_INVALID])
    expect(await t.db.selectFrom('signup_history').selectAll().execute()).toEqual([])
  })

  it('completes only its own registration', async () => {
    const one = (await register('one@example.com')).json()
    const two = (await register('two@example.com')).json()
    const code = codeIn((await mailTo('one@example.com')).text)
    expect((await verifyCode(two.user_sid, code)).statusCode).toBe(400)
    expect((await verifyCode(randomUUID(), code)).statusCode).toBe(400)
    expect((await verifyCode(t.users.a1!, code)).statusCode).toBe(400)
    expect((await verifyCode(one.user_sid, code)).statusCode).toBe(204)
  })

  it('expires', async () => {
    const set = vi.spyOn(t.ctx.live, 'set')
    const { user_sid } = (await register('jane@example.com')).json()
    const code = codeIn((await mailTo('jane@example.com')).text)
    const key = `switchroom:registration:${user_sid}`
    expect(set).toHaveBeenCalledWith(key, expect.any(String), 900)
    const [kept] = await t.ctx.live.get(key)
    await t.ctx.live.set(key, kept!, 1)
    await expect.poll(() => t.ctx.live.get(key)).toEqual([undefined])
    expect((await verifyCode(user_sid, code)).json().msg).toBe(ACTIVATION_CODE_INVALID)
  })

  it('is replaced on request, a few times, with a pause between', async () => {
    const { user_sid } = (await register('jane@example.com')).json()
    const first = codeIn((await mailTo('jane@example.com')).text)
    const again = () => t.request('', 'POST', '/ActivationCode', { user_sid, type: 'email' })
    const tooSoon = await again()
    expect(tooSoon.statusCode).toBe(429)
    expect(tooSoon.headers['retry-after']).toBe('30')
    const clearWait = () => t.ctx.live.remove(`switchroom:registration:${user_sid}:wait`)
    await clearWait()
    expect((await again()).statusCode).toBe(204)
    const second = codeIn((await mailTo('jane@example.com', 1)).text)
    if (second !== first) expect((await verifyCode(user_sid, first)).statusCode).toBe(400)
    let last = second
    // a mail is sent after the answer: each must arrive before the next code is requested
    for (const sent of [2, 3]) {
      await clearWait()
      expect((await again()).statusCode).toBe(204)
      last = codeIn((await mailTo('jane@example.com', sent)).text)
    }
    await clearWait()
    expect((await again()).statusCode).toBe(429)
    expect((await verifyCode(user_sid, last)).statusCode).toBe(204)
    expect(t.mails).toHaveLength(4)
    expect(
      (await t.request('', 'POST', '/ActivationCode', { user_sid: randomUUID(), type: 'email' }))
        .statusCode,
    ).toBe(400)
  })

  it('is chosen by the server and sent by email only', async () => {
    const user_sid = t.users.a1!
    const refused = async (method: 'POST' | 'PUT', path: string, body: object) => {
      const answer = await t.request('a1', method, path, body)
      expect(answer.statusCode).toBe(400)
      return answer.json()
    }
    // as the stock portal sends it
    for (const field of ['email_activation_code', 'phone_activation_code'])
      expect(await refused('PUT', `/Users/${user_sid}`, { [field]: '123456' })).toMatchObject({
        msg: CLIENT_CODE_REJECTED,
        issues: [{ path: [field], message: CLIENT_CODE_REJECTED }],
      })
    const phone = { user_sid, type: 'phone' }
    for (const [method, path, body] of [
      ['POST', '/ActivationCode', { ...phone, value: '+15551234567' }],
      ['PUT', '/ActivationCode/123456', phone],
    ] as const)
      expect(await refused(method, path, body)).toMatchObject({
        msg: PHONE_NOT_SUPPORTED,
        issues: [{ path: ['type'], message: PHONE_NOT_SUPPORTED }],
      })
    expect(t.mails).toEqual([])
  })

  it.each([
    ['guessed', () => verifyCode(randomUUID(), '123456')],
    [
      'asked for',
      () => t.request('', 'POST', '/ActivationCode', { user_sid: randomUUID(), type: 'email' }),
    ],
  ])('is %s sixty times an hour from one address', async (_, ask) => {
    // the count restarts with the hour
    vi.useFakeTimers({ toFake: ['Date'] })
    const statuses: number[] = []
    for (let i = 0; i < 61; i++) statuses.push((await ask()).statusCode)
    expect(statuses).toEqual([...Array(60).fill(400), 429])
  })

  it('is sent to a mailbox five times an hour at most', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    for (let i = 0; i < 8; i++) expect((await register('jane@example.com')).statusCode).toBe(200)
    await mailTo('jane@example.com', 4)
    // emails are sent in the background: once a later one is out, so is any sixth
    await register('mary@example.com')
    await mailTo('mary@example.com')
    expect(t.mails.filter((m) => m.to === 'jane@example.com')).toHaveLength(5)
  })

  it('is stored nowhere in plain text, nor is the password', async () => {
    const { user_sid } = (await register('jane@example.com')).json()
    const code = codeIn((await mailTo('jane@example.com')).text)
    const [kept] = await t.ctx.live.get(`switchroom:registration:${user_sid}`)
    expect(kept).not.toContain(code)
    expect(kept).not.toContain(PASSWORD)
    await verifyCode(user_sid, otherCode(code))
    await verifyCode(user_sid, code)
    expect(t.lines.join('\n')).not.toContain(PASSWORD)
    // not a part of an id, of a time or of a fraction
    expect(t.lines.join('\n')).not.toMatch(new RegExp(`(?<![\\w.])${code}(?![\\w.])`))
  })
})

describe('an email that has an account', () => {
  const shape = (body: Record<string, unknown>) =>
    Object.entries(body).map(([k, v]) => [k, typeof v === 'string' && v.length])

  it('gets the same response as an unknown one, and a notice by email', async () => {
    await t.db
      .updateTable('users')
      .set({ email: 'taken@example.com' })
      .where('user_sid', '=', t.users.a1!)
      .execute()
    const taken = await register('taken@example.com')
    const fresh = await register('fresh@example.com')
    expect(taken.statusCode).toBe(fresh.statusCode)
    expect(shape(taken.json())).toEqual(shape(fresh.json()))
    const { text } = await mailTo('taken@example.com')
    expect(text).toContain('already has an account')
    expect(text).not.toMatch(/\b\d{6}\b/)
    const { user_sid } = taken.json()
    expect((await verifyCode(user_sid, '000000')).json().msg).toBe(ACTIVATION_CODE_INVALID)
    const again = await t.request('', 'POST', '/ActivationCode', { user_sid, type: 'email' })
    expect(again.statusCode).toBe(429)
    const { email } = (await t.request('a1', 'GET', '/Users/me')).json().user
    expect(email).toBe('taken@example.com')
  })

  it('costs as much as an unknown one', async () => {
    await t.db
      .updateTable('users')
      .set({ email: 'taken@example.com' })
      .where('user_sid', '=', t.users.a1!)
      .execute()
    const hashed = vi.spyOn(t.ctx.memory.passwords, 'hash')
    const verified = vi.spyOn(t.ctx.memory.passwords, 'verify')
    /** Counts the expensive steps of an answer, while it is made and after. */
    const costOf = async (email: string) => {
      const mails = t.mails.length
      hashed.mockClear()
      verified.mockClear()
      const answered: string[] = []
      const all = await recorded.during(async () => {
        expect((await register(email)).statusCode).toBe(200)
        answered.push(...recorded.begun)
        await expect.poll(() => t.mails.length).toBe(mails + 1)
      })
      const hashes = [hashed.mock.calls.length, verified.mock.calls.length]
      return { hashes, answered, all }
    }
    await costOf('warm@example.com')
    const fresh = await costOf('fresh@example.com')
    expect(await costOf('taken@example.com')).toEqual(fresh)
  })

  it('is not taken over when its owner registers while a code is pending', async () => {
    const one = (await register('jane@example.com')).json()
    const two = (await register('jane@example.com', { password: 'other horse 2' })).json()
    const codes = [await mailTo('jane@example.com'), await mailTo('jane@example.com', 1)].map((m) =>
      codeIn(m.text),
    )
    const answers = await Promise.all([
      verifyCode(one.user_sid, codes[0]!),
      verifyCode(two.user_sid, codes[1]!),
    ])
    expect(answers.map((a) => a.statusCode).sort()).toEqual([204, 400])
    const found = await t.db
      .selectFrom('users')
      .select('user_sid')
      .where('email', '=', 'jane@example.com')
      .execute()
    expect(found).toHaveLength(1)
  })
})

describe('sign-in by email', () => {
  const signIn = (email: string, password = PASSWORD) =>
    t.request('', 'POST', '/signin', { email, password })

  it('returns what the platform’s clients expect', async () => {
    const { user_sid, account_sid } = await signUp('jane@example.com')
    const answer = await signIn('Jane@example.com')
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({
      user_sid,
      account_sid,
      service_provider_sid: t.sids.sp1,
      email: 'jane@example.com',
      provider: 'local',
      scope: 'read-write',
      email_validated: true,
      phone_validated: false,
      is_active: true,
      pristine: false,
      force_change: false,
    })
    expect(answer.body).not.toContain('argon2')
    expect((await t.request(answer.json().jwt, 'GET', '/Users/me')).statusCode).toBe(200)
  })

  it('does not reveal which emails exist by message, status or lockout', async () => {
    await signUp('jane@example.com')
    for (let i = 0; i < 8; i++) {
      const wrong = await signIn('jane@example.com', 'wrong')
      const unknown = await signIn('nobody@example.com', 'wrong')
      expect([unknown.statusCode, unknown.json().msg]).toEqual([wrong.statusCode, wrong.json().msg])
    }
    expect((await signIn('jane@example.com')).json().msg).toContain('Maximum login attempts')
  })

  it('does not reveal which usernames exist', async () => {
    await signUp('jane@example.com')
    const login = (username: string) =>
      t.request('', 'POST', '/login', { username, password: 'wrong' })
    for (let i = 0; i < 8; i++) {
      const [wrong, unknown] = [await login('jane@example.com'), await login('nobody@example.com')]
      expect([unknown.statusCode, unknown.json().msg]).toEqual([wrong.statusCode, wrong.json().msg])
    }
  })

  it('requires a verified email and an active user with a password', async () => {
    const change = async (more: object) =>
      t.db
        .updateTable('users')
        .set({ hashed_password: await hashPassword(PASSWORD), ...more })
        .where('user_sid', '=', t.users.a1!)
        .execute()
    await change({ email_validated: 0 })
    expect((await signIn('a1@example.com')).statusCode).toBe(403)
    await change({ email_validated: 1 })
    expect((await signIn('a1@example.com')).statusCode).toBe(200)
    await change({ is_active: 0 })
    expect((await signIn('a1@example.com')).statusCode).toBe(403)
    await change({ is_active: 1, provider: 'google' })
    expect((await signIn('a1@example.com')).statusCode).toBe(403)
    const nothing = await t.request('', 'POST', '/signin', {})
    expect([nothing.statusCode, nothing.json().msg]).toEqual([400, 'missing email or password'])
  })

  it('accepts the address of a user whom an operator added, changed or imported', async () => {
    const add = (who: string, name: string) =>
      t.request(who, 'POST', '/Users', {
        name,
        email: `${name}@example.com`,
        initial_password: PASSWORD,
        force_change: 0,
        account_sid: t.sids.a1,
      })
    const { user_sid } = (await add('sp1', 'added')).json()
    expect((await signIn('added@example.com')).json()).toMatchObject({ user_sid })
    expect((await add('a1', 'colleague')).statusCode).toBe(201)
    expect((await signIn('colleague@example.com')).statusCode).toBe(403)
    const colleague = await t.db
      .selectFrom('users')
      .select('user_sid')
      .where('name', '=', 'colleague')
      .executeTakeFirstOrThrow()
    const email = 'known@example.com'
    expect(
      (await t.request('admin', 'PUT', `/Users/${colleague.user_sid}`, { email })).statusCode,
    ).toBe(204)
    expect((await signIn(email)).json()).toMatchObject(colleague)
    const csv = `name,email,scope,account,password,force_change\nten,ten@example.com,account,a1,${PASSWORD},0\n`
    const imported = await t.request('sp1', 'POST', '/Users/Import', csv, {
      'content-type': 'text/csv',
    })
    expect(imported.body).toContain('"added":1')
    expect((await signIn('ten@example.com')).statusCode).toBe(200)
  })

  it('accepts a username that is an email, after the verified owner of that email', async () => {
    const change = async (who: string, password: string, more: object) =>
      t.db
        .updateTable('users')
        .set({ hashed_password: await hashPassword(password), ...more })
        .where('user_sid', '=', t.users[who]!)
        .execute()
    const name = 'ops@example.com'
    await change('sp1', PASSWORD, { name, email_validated: 0 })
    expect((await signIn(name)).json()).toMatchObject({ user_sid: t.users.sp1, account_sid: null })
    await change('b1', 'another horse 2', { email: name, email_validated: 1 })
    expect((await signIn(name)).statusCode).toBe(403)
    expect((await signIn(name, 'another horse 2')).json().user_sid).toBe(t.users.b1)
  })

  it('is not found while the flag is off', async () => {
    const o = await testApp()
    const answer = await o.request('', 'POST', '/signin', {
      email: 'a1@example.com',
      password: 'x',
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().issues[0].path).toEqual(['link'])
    await o.close()
  })
})

describe('another sign-in method', () => {
  it('replaces the existing one once its email is verified', async () => {
    const old = await signUp('jane@example.com')
    const second = await register('second@example.com', {}, old.jwt)
    const answer = second.json()
    expect(answer).toMatchObject({ account_sid: old.account_sid, pristine: false })
    expect((await t.request(old.jwt, 'GET', '/Users/me')).statusCode).toBe(200)
    const code = codeIn((await mailTo('second@example.com')).text)
    expect((await verifyCode(answer.user_sid, code)).statusCode).toBe(204)
    expect((await t.request(old.jwt, 'GET', '/Users/me')).statusCode).toBe(401)
    const me = (await t.request(answer.jwt, 'GET', '/Users/me')).json()
    expect(me).toMatchObject({
      user: { email: 'second@example.com' },
      account: { account_sid: old.account_sid },
    })
  })

  it.each([['a1-viewer'], ['a1-key'], ['sp1'], ['admin']])(
    'is not available to %s',
    async (who) => {
      expect((await register('second@example.com', {}, who)).statusCode).toBe(403)
    },
  )
})

describe('a new email', () => {
  const changeEmail = (who: string, user_sid: string, value: string) =>
    t.request(who, 'POST', '/ActivationCode', { user_sid, type: 'email', value })
  const signIn = (email: string) => t.request('', 'POST', '/signin', { email, password: PASSWORD })

  it('replaces the old one once it is verified', async () => {
    const { jwt, user_sid } = await signUp('jane@example.com')
    expect((await changeEmail(jwt, user_sid, 'New@example.com')).statusCode).toBe(204)
    expect((await signIn('new@example.com')).statusCode).toBe(403)
    expect((await signIn('jane@example.com')).statusCode).toBe(200)
    const code = codeIn((await mailTo('new@example.com')).text)
    expect((await verifyCode(user_sid, otherCode(code))).statusCode).toBe(400)
    expect((await verifyCode(user_sid, code)).statusCode).toBe(204)
    expect((await signIn('new@example.com')).statusCode).toBe(200)
    expect((await signIn('jane@example.com')).statusCode).toBe(403)
    expect((await verifyCode(user_sid, code)).statusCode).toBe(400)
  })

  it('is not set by a session that has ended since', async () => {
    const { jwt, user_sid } = await signUp('jane@example.com')
    await changeEmail(jwt, user_sid, 'thief@example.com')
    const replacing = (await register('second@example.com', {}, jwt)).json()
    const changed = await t.request(jwt, 'PUT', `/Users/${user_sid}`, {
      old_password: PASSWORD,
      new_password: 'another horse 2',
    })
    expect(changed.statusCode).toBe(204)
    const [address, login] = [
      codeIn((await mailTo('thief@example.com')).text),
      codeIn((await mailTo('second@example.com')).text),
    ]
    expect((await verifyCode(user_sid, address)).statusCode).toBe(400)
    expect((await verifyCode(replacing.user_sid, login)).statusCode).toBe(400)
    expect((await t.request(jwt, 'GET', '/Users/me')).json().user.email).toBe('jane@example.com')
  })

  it('cannot be set unverified by account users, but can be by an operator', async () => {
    const { jwt, user_sid } = await signUp('jane@example.com')
    const change = (who: string, sid: string, body: object) =>
      t.request(who, 'PUT', `/Users/${sid}`, body)
    const victims = { email: 'victim@example.com' }
    for (const [who, sid] of [
      [jwt, user_sid],
      ['a1', t.users.a1!],
      ['a1', t.users['a1-viewer']!],
      ['a1-key', t.users.a1!],
    ] as const) {
      const answer = await change(who, sid, { name: 'renamed', ...victims })
      expect(answer.statusCode).toBe(400)
      expect(answer.json().issues).toEqual([{ path: ['email'], message: EMAIL_NOT_VERIFIED }])
      // whether it is taken is not revealed either
      expect((await change(who, sid, { email: 'b1@example.com' })).json().msg).toBe(
        EMAIL_NOT_VERIFIED,
      )
    }
    const same = { name: 'Jane', email: 'jane@example.com' }
    expect((await change(jwt, user_sid, same)).statusCode).toBe(204)
    expect((await change('sp1', t.users.a1!, { email: 'ann@example.com' })).statusCode).toBe(204)
    // whose address it is may still register with it
    await signUp(victims.email)
  })

  it('does not reveal other users’ names and emails', async () => {
    const rename = (name: string) => t.request('a1', 'PUT', `/Users/${t.users.a1}`, { name })
    const user = { name: 'new', email: 'b1@example.com', initial_password: PASSWORD }
    const make = (who: string) => t.request(who, 'POST', '/Users', user)
    // keeps the test within one hour
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    try {
      expect((await make('a1-key')).statusCode).toBe(422)
      for (let i = 1; i < 30; i++) expect((await rename('b1')).statusCode).toBe(422)
      for (const answer of [await make('a1'), await make('a1-key'), await rename('b1')])
        expect([answer.statusCode, answer.headers['retry-after']]).toEqual([
          429,
          expect.any(String),
        ])
      expect((await rename('a1')).statusCode).toBe(204)
      expect((await make('b1')).statusCode).toBe(422)
      expect((await make('sp1')).statusCode).toBe(422)
    } finally {
      vi.useRealTimers()
    }
  })

  it('can be requested only by the user, and must be unused', async () => {
    const { jwt, user_sid } = await signUp('jane@example.com')
    for (const who of ['', 'a1', 'admin', 'a1-key'])
      expect((await changeEmail(who, user_sid, 'new@example.com')).statusCode, who).toBe(400)
    expect(
      (await changeEmail('a1-viewer', t.users['a1-viewer']!, 'new@example.com')).statusCode,
    ).toBe(403)
    expect((await changeEmail(jwt, user_sid, 'no address')).json().msg).toBe('invalid email')
    expect((await changeEmail(jwt, user_sid, 'a1@example.com')).statusCode).toBe(204)
    expect((await mailTo('a1@example.com')).text).toContain('already has an account')
  })
})

describe('availability', () => {
  const ask = (who: string, type: string, value: string) =>
    t.request(who, 'GET', `/Availability?type=${type}&value=${encodeURIComponent(value)}`)
  const available = async (who: string, type: string, value: string) =>
    (await ask(who, type, value)).json().available

  it('is checked for one label below the provider’s domain, in any case', async () => {
    await t.db
      .updateTable('accounts')
      .set({ sip_realm: `taken.${ROOT}` })
      .where('account_sid', '=', t.sids.b1)
      .execute()
    await t.db
      .updateTable('service_providers')
      .set({ root_domain: `east.${ROOT}` })
      .where('service_provider_sid', '=', t.sids.sp2)
      .execute()
    expect(await available('a1', 'subdomain', `Acme.${ROOT}`)).toBe(true)
    for (const value of [
      `TAKEN.${ROOT}`,
      `ab.${ROOT}`,
      `-abc.${ROOT}`,
      `a.b.${ROOT}`,
      `east.${ROOT}`,
      ROOT,
      'acme.example.org',
      `${'a'.repeat(64)}.${ROOT}`,
      'acme',
    ])
      expect(await available('a1', 'subdomain', value), value).toBe(false)
    expect((await ask('a1', 'colour', 'x')).json().msg).toBe('invalid type: colour')
    expect((await ask('a1', 'subdomain', '')).statusCode).toBe(400)
    expect((await ask('', 'subdomain', `acme.${ROOT}`)).statusCode).toBe(401)
  })

  it('does not let an account look up emails', async () => {
    expect(await available('admin', 'email', 'A1@example.com')).toBe(false)
    expect(await available('admin', 'email', 'free@example.com')).toBe(true)
    expect(await available('admin', 'phone', '15005550100')).toBe(true)
    const statuses = []
    for (let i = 0; i < 12; i++)
      statuses.push((await ask('a1', 'email', `${i}@x.example`)).statusCode)
    expect(statuses.filter((s) => s === 429)).toHaveLength(2)
  })
})

describe('invitations', () => {
  it('are created by administrators, in the platform’s alphabet, and work once', async () => {
    const make = (body: object) => t.request('admin', 'POST', '/BetaInviteCodes', body)
    expect((await make({})).json()).toMatchObject({ status: 'ok', added: 1 })
    const { added, codes } = (await make({ count: 50 })).json()
    expect(added).toBe(50)
    const log = await t.db
      .selectFrom('switchroom_audit')
      .selectAll()
      .where('kind', '=', 'invite_code')
      .orderBy('seq')
      .execute()
    expect(log.map(({ name }) => name)).toEqual(['1', '50'])
    expect(JSON.stringify(log)).not.toContain(codes[0])
    for (const code of codes) expect(code).toMatch(/^[0123456789ABCXZ]{6}$/)
    expect((await make({ count: 0 })).statusCode).toBe(400)
    const useInviteCode = (body: object) => t.request('', 'POST', '/InviteCodes', body)
    expect((await useInviteCode({ code: codes[0], test: true })).statusCode).toBe(204)
    const both = await Promise.all([
      useInviteCode({ code: codes[0] }),
      useInviteCode({ code: codes[0] }),
    ])
    expect(both.map((a) => a.statusCode).sort()).toEqual([204, 404])
    expect((await useInviteCode({ code: codes[0], test: true })).statusCode).toBe(404)
    for (let i = 0; i < 30; i++) await useInviteCode({ code: 'XXXXXX' })
    expect((await useInviteCode({ code: codes[1] })).statusCode).toBe(429)
  })

  it('are required if configured, and consumed with the account', async () => {
    t.ctx.config.page.INVITE_ONLY = true
    const { codes } = (await t.request('admin', 'POST', '/BetaInviteCodes', { count: 2 })).json()
    for (const inviteCode of [undefined, '', 'NOTONE'])
      expect((await register('jane@example.com', { inviteCode })).json()).toMatchObject({
        issues: [{ path: ['inviteCode'], message: INVITE_CODE_INVALID }],
      })
    // two who share one: it is the first to finish who gets in
    const [one, other] = ['jane@example.com', 'mary@example.com']
    const userSids: string[] = []
    for (const email of [one, other])
      userSids.push((await register(email, { inviteCode: codes[0].toLowerCase() })).json().user_sid)
    const proved = async (nth: 0 | 1) =>
      verifyCode(userSids[nth]!, codeIn((await mailTo([one, other][nth]!)).text))
    expect((await proved(0)).statusCode).toBe(204)
    expect((await proved(1)).json()).toMatchObject({ issues: [{ path: ['inviteCode'] }] })
    expect((await register(other, { inviteCode: codes[1] })).statusCode).toBe(200)
  })
})

it('shows a provider’s sample settings publicly, without its secrets', async () => {
  const { sid } = await t.as('admin')(api.applications.create, {
    body: {
      name: 'try me',
      account_sid: t.sids.a1,
      call_hook: { url: 'https://example.com/x', username: 'u', password: 'canary-hook' },
      call_status_hook: { url: 'https://example.com/y' },
      env_vars: { KEY: 'canary-variable' },
    },
  })
  await t.db
    .updateTable('applications')
    .set({ service_provider_sid: t.sids.sp1 })
    .where('application_sid', '=', sid)
    .execute()
  const answer = await t.request('', 'GET', `/AccountTest/${t.sids.sp1}`)
  expect(answer.json()).toMatchObject({ phonenumbers: [], applications: [{ name: 'try me' }] })
  expect(answer.body).not.toContain('canary')
  expect((await t.request('', 'GET', `/AccountTest/${t.sids.sp2}`)).json().applications).toEqual([])
  expect((await t.request('', 'GET', `/AccountTest/${randomUUID()}`)).statusCode).toBe(404)
})
