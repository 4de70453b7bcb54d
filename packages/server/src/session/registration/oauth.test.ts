import { randomUUID } from 'node:crypto'
import { api, INVALID_STATE, type OAuthProvider } from '@switchroom/contract'
import { Secret, TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { followSignIn, type OAuthUserName } from '../../../test/oauth-users.ts'
import { slowReads } from '../../../test/slow-reads.ts'
import { GITHUB, testGithub } from '../../../test/stand-ins/github.ts'
import { GOOGLE, testGoogle } from '../../../test/stand-ins/google.ts'

const BASE = 'http://console.test'
const callbackUrl = (provider: OAuthProvider) => `${BASE}/oauth-callback/${provider}`

let google: Awaited<ReturnType<typeof testGoogle>>
let github: Awaited<ReturnType<typeof testGithub>>
beforeAll(async () => {
  google = await testGoogle(callbackUrl('google'))
  github = await testGithub(callbackUrl('github'))
})
afterAll(async () => {
  await google.close()
  await github.close()
})

let t: TestApp
beforeEach(async () => {
  t = await testApp({
    ENABLE_HOSTED_SYSTEM: '1',
    ...google.environment,
    ...github.environment,
  })
  await t.db
    .updateTable('service_providers')
    .set({ root_domain: 'sip.example.com' })
    .where('service_provider_sid', '=', t.sids.sp1)
    .execute()
})
afterEach(() => t.close())

type From = '/register' | '/sign-in'

/** Begins as a browser does, with or without the cookie of an earlier time. */
async function begin(provider: string, locationBeforeAuth: From = '/register', cookie?: string) {
  const answer = await t.request(
    '',
    'POST',
    '/Authorizations',
    { provider, locationBeforeAuth },
    cookie ? { cookie } : {},
  )
  const set = String(answer.headers['set-cookie'] ?? '')
  return { answer, url: answer.json().url as string, set, cookie: set.split(';')[0]! }
}

const register = (provider: string, returned: URL, cookie?: string, more: object = {}, who = '') =>
  t.request(
    who,
    'POST',
    '/register',
    {
      provider,
      service_provider_sid: t.sids.sp1,
      oauth2_code: returned.searchParams.get('code'),
      oauth2_state: returned.searchParams.get('state'),
      oauth2_iss: returned.searchParams.get('iss') ?? undefined,
      ...more,
    },
    cookie ? { cookie } : {},
  )

/** All of it: there, back, and in. */
async function join(
  provider: OAuthProvider,
  person: OAuthUserName,
  from: From = '/register',
  who = '',
) {
  const { url, cookie } = await begin(provider, from)
  const returned = await followSignIn(url, person, callbackUrl(provider))
  return register(provider, returned, cookie, {}, who)
}
const people = async () => (await t.db.selectFrom('users').select('user_sid').execute()).length

describe.each(['google', 'github'] as const)('with %s', (provider) => {
  it('creates an account, and signs in the next time', async () => {
    const first = await join(provider, 'jane')
    expect(first.statusCode, first.body).toBe(200)
    const body = first.json()
    expect(body).toMatchObject({
      email: 'jane@example.com',
      // never an existing username, whatever the GitHub name is
      name: 'jane@example.com',
      provider,
      root_domain: 'sip.example.com',
      pristine: true,
      is_active: true,
      email_validated: true,
    })
    const me = (await t.request(body.jwt, 'GET', '/Users/me')).json()
    expect(me.account).toMatchObject({ account_sid: body.account_sid, plan_type: 'trial' })
    for (const from of ['/sign-in', '/register'] as const) {
      const again = (await join(provider, 'jane', from)).json()
      expect(again).toMatchObject({
        user_sid: body.user_sid,
        account_sid: body.account_sid,
        pristine: false,
      })
      expect((await t.request(again.jwt, 'GET', '/Users/me')).statusCode).toBe(200)
      // for the first screen
      expect(again).toMatchObject({
        preferences: { language: from === '/sign-in' ? null : 'de' },
        brand: null,
      })
      await t.request(again.jwt, 'PUT', '/Preferences', { language: 'de' })
    }
  })

  it('redirects with state and challenge, and keeps its secrets', async () => {
    const { url, set, answer } = await begin(provider)
    const { searchParams: sent } = new URL(url)
    expect(sent.get('state')).toMatch(/^[\w-]{43}$/)
    expect(sent.get('code_challenge')).toMatch(/^[\w-]{43}$/)
    expect(sent.get('code_challenge_method')).toBe('S256')
    expect(sent.get('redirect_uri')).toBe(callbackUrl(provider))
    expect(set).toMatch(/HttpOnly/)
    expect(set).toMatch(/SameSite=Lax/)
    expect(set).toMatch(/Max-Age=600/)
    expect(answer.body + url).not.toContain('canary')
    const other = new URL((await begin(provider)).url).searchParams
    expect(other.get('state')).not.toBe(sent.get('state'))
    expect(other.get('code_challenge')).not.toBe(sent.get('code_challenge'))
  })

  it('is rejected in another browser, without a cookie, and with an unknown state', async () => {
    const { url, cookie } = await begin(provider)
    const elsewhere = await begin(provider)
    const returned = await followSignIn(url, 'jane', callbackUrl(provider))
    const refused = async (cookie: string | undefined, more: object = {}) => {
      const answer = await register(provider, returned, cookie, more)
      expect([answer.statusCode, answer.json().msg]).toEqual([403, INVALID_STATE])
    }
    const before = await people()
    await refused(undefined)
    await refused(elsewhere.cookie)
    await refused(cookie, { oauth2_state: 'forged' })
    await refused(cookie, { oauth2_state: new URL(elsewhere.url).searchParams.get('state') })
    expect(await people()).toBe(before)
    // none of that has used it up
    expect((await register(provider, returned, cookie)).statusCode).toBe(200)
  })

  it('works once, even with concurrent requests', async () => {
    const { url, cookie } = await begin(provider)
    const returned = await followSignIn(url, 'jane', callbackUrl(provider))
    const reads = slowReads(t)
    const answers = await Promise.all([1, 2, 3].map(() => register(provider, returned, cookie)))
    expect(answers.map((a) => a.statusCode).sort()).toEqual([200, 403, 403])
    const refused = answers.filter((a) => a.statusCode === 403)
    expect(refused.map((a) => a.json().msg)).toEqual([INVALID_STATE, INVALID_STATE])
    reads.mockRestore()
    expect((await register(provider, returned, cookie)).json().msg).toBe(INVALID_STATE)
  })

  it('is rejected with an invalid code or that of another sign-in', async () => {
    const mine = await begin(provider)
    const theirs = await begin(provider)
    const stolen = await followSignIn(theirs.url, 'mary', callbackUrl(provider))
    await followSignIn(mine.url, 'jane', callbackUrl(provider))
    const state = new URL(mine.url).searchParams.get('state')
    const before = await people()
    // a code is bound to the challenge of the sign-in that it was given to
    const injected = await register(provider, stolen, mine.cookie, { oauth2_state: state })
    expect([injected.statusCode, injected.json().msg]).toEqual([403, 'bad verification code'])
    const other = await begin(provider)
    const made = await register(provider, stolen, other.cookie, {
      oauth2_code: 'made-up',
      oauth2_state: new URL(other.url).searchParams.get('state'),
    })
    expect(made.statusCode).toBe(403)
    expect(await people()).toBe(before)
  })

  it('requires a verified email', async () => {
    const answer = await join(provider, 'unproved')
    expect(answer.statusCode).toBe(403)
    expect(answer.json().msg).toContain('not verified')
  })

  it('does not register users from the sign-in page', async () => {
    const answer = await join(provider, 'jane', '/sign-in')
    expect([answer.statusCode, answer.json().msg]).toEqual([
      404,
      'registering a new account not allowed from the sign-in page',
    ])
  })

  it('does not take over an account with the same email', async () => {
    await t.db
      .updateTable('users')
      .set({ email: 'JANE@example.com' })
      .where('user_sid', '=', t.users.a1!)
      .execute()
    const answer = await join(provider, 'jane')
    expect([answer.statusCode, answer.json().msg]).toEqual([
      400,
      'user already exists with email jane@example.com',
    ])
  })

  it('rejects deactivated users', async () => {
    const { user_sid } = (await join(provider, 'jane')).json()
    await t.db.updateTable('users').set({ is_active: 0 }).where('user_sid', '=', user_sid).execute()
    expect((await join(provider, 'jane', '/sign-in')).statusCode).toBe(403)
  })

  it('replaces the sign-in method of a signed-in user', async () => {
    const answer = await join(provider, 'jane', '/register', 'a1')
    expect(answer.statusCode, answer.body).toBe(200)
    const { jwt, account_sid } = answer.json()
    expect(account_sid).toBe(t.sids.a1)
    expect((await t.request('a1', 'GET', '/Users/me')).statusCode).toBe(401)
    expect((await t.request(jwt, 'GET', '/Users/me')).statusCode).toBe(200)
    const twice = await join(provider, 'jane', '/register', 'a2')
    expect([twice.statusCode, twice.json().msg]).toEqual([
      422,
      'account already exists for this oauth user/provider',
    ])
    expect((await t.request('a2', 'GET', '/Users/me')).statusCode).toBe(200)
  })

  it('keeps its secrets', async () => {
    const { url, cookie } = await begin(provider)
    const returned = await followSignIn(url, 'jane', callbackUrl(provider))
    const answer = await register(provider, returned, cookie)
    const code = returned.searchParams.get('code')!
    const everything = [answer.body, t.lines.join('\n'), JSON.stringify(t.mails)].join('\n')
    for (const secret of [GOOGLE.client_secret, GITHUB.client_secret, code, 'gho_canary', cookie])
      expect(everything).not.toContain(secret)
  })
})

describe('providers', () => {
  it('cannot be confused with each other', async () => {
    const { url, cookie } = await begin('google')
    const returned = await followSignIn(url, 'jane', callbackUrl('google'))
    const answer = await register('github', returned, cookie)
    expect([answer.statusCode, answer.json().msg]).toEqual([403, INVALID_STATE])
    const other = await register('google', returned, cookie, { oauth2_iss: 'http://evil.example' })
    expect(other.statusCode).toBe(403)
  })

  it('are offered if configured', async () => {
    const unknown = await begin('facebook')
    expect([unknown.answer.statusCode, unknown.answer.json().msg]).toEqual([
      400,
      'facebook is not a valid OAuth provider',
    ])
    const o = await testApp({ ENABLE_HOSTED_SYSTEM: '1', ...google.environment })
    const github = await o.request('', 'POST', '/Authorizations', { provider: 'github' })
    expect(github.json().msg).toBe('github is not a valid OAuth provider')
    const page = (await o.app.inject('/config.js')).body
    expect(page).toContain('"GOOGLE_CLIENT_ID":"google-client"')
    expect(page).not.toContain('GITHUB')
    expect(page).not.toContain('canary')
    await o.close()
  })

  it('that are unreachable are named in the error', async () => {
    const o = await testApp({
      ENABLE_HOSTED_SYSTEM: '1',
      ...google.environment,
      SWITCHROOM_GOOGLE_ISSUER: 'http://127.0.0.1:9',
    })
    const answer = await o.request('', 'POST', '/Authorizations', { provider: 'google' })
    expect([answer.statusCode, answer.json().msg]).toEqual([
      502,
      'Google cannot be reached right now',
    ])
    await o.close()
  })

  it('bind their cookie to the host when the console uses TLS', async () => {
    const o = await testApp({
      ENABLE_HOSTED_SYSTEM: '1',
      ...github.environment,
      JAMBONZ_BASE_URL: 'https://console.test',
    })
    const { headers } = await o.request('', 'POST', '/Authorizations', { provider: 'github' })
    expect(String(headers['set-cookie'])).toMatch(/^__Host-switchroom-oauth=.*Path=\/.*Secure/)
    await o.close()
  })
})

describe('users stored by a stock API server with their GitHub name', () => {
  const userWithEmail = (email: string) =>
    t.db
      .updateTable('users')
      .set({ provider: 'github', provider_userid: 'jane', email })
      .where('user_sid', '=', t.users.a1!)
      .execute()

  it('are identified by their GitHub id from now on', async () => {
    await userWithEmail('jane@example.com')
    expect((await join('github', 'jane', '/sign-in')).json().user_sid).toBe(t.users.a1)
    github.people.jane.login = 'renamed'
    try {
      expect((await join('github', 'jane', '/sign-in')).json().user_sid).toBe(t.users.a1)
    } finally {
      github.people.jane.login = 'jane'
    }
  })

  it('are not another user who has taken that name since', async () => {
    await userWithEmail('former@example.com')
    const answer = await join('github', 'jane')
    expect(answer.json().user_sid).not.toBe(t.users.a1)
  })
})

it('requires a code and a state', async () => {
  const answer = await t.request('', 'POST', '/register', {
    provider: 'github',
    service_provider_sid: randomUUID(),
  })
  expect(answer.json().issues).toEqual([
    { path: ['oauth2_code'], message: 'The response from GitHub is incomplete. Try again.' },
    { path: ['oauth2_state'], message: 'The response from GitHub is incomplete. Try again.' },
  ])
})

describe('a second factor', () => {
  it('is added by those without a password soon after logging in, and asked for from then on', async () => {
    const { jwt, user_sid } = (await join('github', 'mary')).json()
    const begin = () => t.request(jwt, 'POST', '/Users/me/SecondFactor/Totp/Secret', {})
    await t.db
      .updateTable('switchroom_sessions')
      .set({ began_at: Date.now() - 11 * 60_000 })
      .where('user_sid', '=', user_sid)
      .execute()
    expect((await begin()).statusCode).toBe(403)
    await t.db
      .updateTable('switchroom_sessions')
      .set({ began_at: Date.now() - 9 * 60_000 })
      .where('user_sid', '=', user_sid)
      .execute()
    const { secret } = (await begin()).json()
    const code = (steps: number) =>
      TOTP.generate({
        secret: Secret.fromBase32(secret),
        timestamp: Date.now() + steps * 30_000,
      })
    await t.as(jwt)(api.secondFactor.addTotp, { body: { code: code(0) } })
    // a fresh session alone is no longer enough proof
    expect((await begin()).statusCode).toBe(400)
    const answer = await join('github', 'mary', '/sign-in')
    expect(answer.json().code).toBe('second_factor_required')
    expect(answer.body).not.toContain('"jwt"')
    const { ticket } = answer.json().second_factor
    const body = { ticket, code: code(1) }
    const next = await t.as('')(api.secondFactor.logIn, { body })
    expect((await t.request(next.token, 'GET', '/Users/me')).statusCode).toBe(200)
  })

  it('is due at once for those who register where it is required', async () => {
    await t.as('sp1')(api.secondFactor.savePolicy, {
      params: { service_provider_sid: t.sids.sp1 },
      body: { is_required: true },
    })
    const { jwt } = (await join('github', 'mary')).json()
    expect((await t.request(jwt, 'GET', '/Applications')).json().msg).toBe(
      'You must set up a second factor',
    )
  })
})
