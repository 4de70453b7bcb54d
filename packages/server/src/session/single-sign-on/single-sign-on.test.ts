import {
  api,
  MASK,
  NO_RULE_MATCHES,
  passwordRefused,
  type Sent,
  SINGLE_SIGN_ON_EXPIRED,
} from '@switchroom/contract'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { Secret, TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { browser } from '../../../test/browser.ts'
import {
  CLIENT,
  type IdentityProviderStandIn,
  identityProvider,
  newPeople,
} from '../../../test/stand-ins/identity-provider.ts'
import { recordStatements } from '../../../test/statements.ts'
import { refuseLocalLogIn } from '../../http/single-sign-on.ts'
import { hashPassword } from '../../secrets/passwords.ts'

const BASE = 'http://console.test'
const CALLBACK = `${BASE}/single-sign-on`
const PASSWORD = 'correct horse 1'
const LOCAL = '127.0.0.0/8'

const recorded = recordStatements()
let idp: IdentityProviderStandIn
let t: TestApp
beforeAll(async () => {
  idp = await identityProvider({
    redirect_uri: CALLBACK,
    log_out_uri: `${BASE}/`,
    backchannel_logout_uri: `${BASE}/v1/sso/backchannel-logout`,
  })
})
afterAll(() => idp.close())

type Rules = NonNullable<Sent<typeof api.singleSignOn.update>['body']['rules']>
const rule = (more: Partial<Rules[number]> = {}): Rules[number] => ({
  claim: 'groups',
  operator: 'contains',
  value: 'ops',
  scope: 'admin',
  ...more,
})
const rulesFor = (app: TestApp): Rules => [
  rule(),
  rule({
    claim: 'tenant',
    operator: 'equals',
    value: 'X',
    scope: 'account',
    account_sid: app.sids.a1,
    is_view_only: true,
  }),
]
const save = (body: Sent<typeof api.singleSignOn.update>['body'], app = t) =>
  app.as('admin')(api.singleSignOn.update, { body })
const settings = (app = t) => app.as('admin')(api.singleSignOn.view, {})

const start = (environment: Record<string, string> = {}) =>
  testApp({ SWITCHROOM_ALLOW_NETWORKS: LOCAL, ...environment }, undefined, recorded.tracing)
beforeEach(async () => {
  Object.assign(idp.people, newPeople())
  idp.behavior.tamper = undefined
  t = await start()
  await save({ is_active: 1, name: 'Acme ID', issuer: idp.issuer, ...CLIENT, rules: rulesFor(t) })
})
afterEach(() => t.close())

async function begin(app = t, cookie?: string) {
  const answer = await app.request(
    '',
    'POST',
    '/SingleSignOn/Authorizations',
    undefined,
    cookie ? { cookie } : {},
  )
  const set = String(answer.headers['set-cookie'] ?? '')
  return { answer, url: String(answer.json().url), cookie: set.split(';')[0]! }
}
const finish = (returned: URL, cookie: string | undefined, more: object = {}, app = t) =>
  app.request(
    '',
    'POST',
    '/SingleSignOn/Sessions',
    { ...Object.fromEntries(returned.searchParams), ...more },
    cookie ? { cookie } : {},
  )
/** All of it: there, back, and in. */
async function join(person: string, go = browser(), app = t) {
  const { url, cookie } = await begin(app)
  return finish(await go(url, person, CALLBACK), cookie, {}, app)
}
const me = (token: string) => t.request(token, 'GET', '/Users/me')
const refusal = (answer: { statusCode: number; json: () => { msg: string } }) => [
  answer.statusCode,
  answer.json().msg,
]
const users = async () => (await t.db.selectFrom('users').select('user_sid').execute()).length
const userNamed = (name: string) =>
  t.db.selectFrom('users').selectAll().where('name', '=', name).executeTakeFirst()
const setHash = async (user_sid: string) =>
  t.db
    .updateTable('users')
    .set({ hashed_password: await hashPassword(PASSWORD) })
    .where('user_sid', '=', user_sid)
    .execute()
const setPassword = (name: string) => setHash(t.users[name]!)
const logIn = (username: string) =>
  t.request('', 'POST', '/login', { username, password: PASSWORD })

describe('log-in', () => {
  it('adds a user with the access of the first matching rule, and knows it the next time', async () => {
    const first = await join('olga')
    expect(first.statusCode, first.body).toBe(200)
    expect(first.json()).toMatchObject({ scope: 'admin', permissions: [] })
    const row = await userNamed('olga')
    expect(row).toMatchObject({
      provider: 'oidc',
      email: 'olga@acme.example',
      email_validated: 1,
      hashed_password: null,
      account_sid: null,
      service_provider_sid: null,
    })
    expect((await me(first.json().token)).statusCode).toBe(200)
    expect((await join('olga')).json().user_sid).toBe(row!.user_sid)
    const { data } = (await t.request('admin', 'GET', '/AuditLog?page=1&kind=user')).json()
    expect(data[0]).toMatchObject({
      action: 'create',
      name: 'olga',
      actor: 'Acme ID (single sign-on)',
    })
  })

  it('adds a view-only user of an account, who stays view-only', async () => {
    const { token, account_sid } = (await join('vera')).json()
    expect(account_sid).toBe(t.sids.a1)
    expect(decodeJwt(token)).toMatchObject({ scope: 'account', is_view_only: true })
    const made = await t.request(token, 'POST', '/Applications', { name: 'x' })
    expect(refusal(made)).toEqual([403, 'User has view-only access'])
    expect((await t.request(token, 'GET', '/SingleSignOn')).statusCode).toBe(403)
  })

  it('refuses people whom no rule lets in, and adds nobody', async () => {
    const before = await users()
    expect(refusal(await join('stranger'))).toEqual([403, NO_RULE_MATCHES])
    expect(await users()).toBe(before)
  })

  it('ends the sessions of a user whom no rule lets in any more, and deactivates it', async () => {
    const { token } = (await join('olga')).json()
    idp.people.olga!.groups = ['staff']
    expect(refusal(await join('olga'))).toEqual([403, NO_RULE_MATCHES])
    expect((await me(token)).statusCode).toBe(401)
    expect(await userNamed('olga')).toMatchObject({ is_active: 0 })
    // and lets it in again once a rule does
    idp.people.olga!.groups = ['ops']
    expect((await join('olga')).statusCode).toBe(200)
    expect(await userNamed('olga')).toMatchObject({ is_active: 1 })
  })

  it('ends the sessions of a user whose access has changed', async () => {
    const { token } = (await join('olga')).json()
    idp.people.olga!.groups = []
    idp.people.olga!.tenant = 'X'
    const next = (await join('olga')).json()
    expect((await me(token)).statusCode).toBe(401)
    expect(decodeJwt(next.token)).toMatchObject({ scope: 'account', is_view_only: true })
    expect((await t.request(next.token, 'GET', '/SingleSignOn')).statusCode).toBe(403)
  })

  it('keeps out a user whom an administrator has deactivated', async () => {
    const { user_sid } = (await join('olga')).json()
    await t.as('admin')(api.users.update, { params: { user_sid }, body: { is_active: 0 } })
    const answer = await join('olga')
    expect(answer.statusCode).toBe(403)
    expect(answer.json().msg).toContain('deactivated')
    expect(await userNamed('olga')).toMatchObject({ is_active: 0 })
  })

  it.each([
    ['email', { email: 'ADMIN@example.com' }],
    ['username', { preferred_username: 'Admin' }],
    ['unverified email', { email: 'admin@example.com', email_verified: false }],
  ])('is never taken for a local user with the same %s', async (_, claims) => {
    Object.assign(idp.people.olga!, claims)
    const before = await users()
    const answer = await join('olga')
    expect(answer.statusCode).toBe(403)
    expect(answer.json().msg).toContain('Another user has the username or email')
    expect(await users()).toBe(before)
    expect((await t.request('admin', 'GET', '/Users/me')).json().user.provider).toBe('local')
  })

  it('ignores an address that the identity provider has not verified', async () => {
    await save({
      rules: [rule({ claim: 'email', operator: 'equals', value: 'vera@acme.example' })],
    })
    idp.people.vera!.email_verified = false
    expect(refusal(await join('vera'))).toEqual([403, NO_RULE_MATCHES])
    idp.people.vera!.email_verified = true
    expect((await join('vera')).json().scope).toBe('admin')
  })

  it('refuses a rule whose account is gone, and does not go on to the next', async () => {
    const { sid } = await t.as('admin')(api.accounts.create, {
      body: { name: 'gone', service_provider_sid: t.sids.sp1 },
    })
    const gone = rule({ value: 'staff', scope: 'account', account_sid: sid })
    await save({ rules: [gone, rule()] })
    await t.as('admin')(api.accounts.remove, { params: { account_sid: sid }, body: {} })
    expect(refusal(await join('olga'))).toEqual([403, NO_RULE_MATCHES])
  })

  it('needs a second factor where one is required, unless the identity provider asked for it', async () => {
    await t.as('admin')(api.secondFactor.saveAdministratorPolicy, { body: { is_required: true } })
    expect((await join('olga')).json()).toMatchObject({ second_factor_due: true })
    idp.behavior.tamper = async (answer) => ({
      ...answer,
      id_token: await idp.sign({ ...decodeJwt(answer.id_token), amr: ['pwd', 'mfa'] }),
    })
    expect((await join('olga')).json().second_factor_due).toBeUndefined()
  })

  it('names the session as what it is', async () => {
    const { token } = (await join('olga')).json()
    const [row] = await t.db
      .selectFrom('switchroom_sessions')
      .select('method')
      .where('session_sid', '=', decodeJwt(token).jti!)
      .execute()
    expect(row).toEqual({ method: 'single_sign_on' })
  })

  it('adds one user, however many first log-ins there are at once', async () => {
    const begun = await Promise.all([1, 2, 3].map(() => begin()))
    const returned = await Promise.all(begun.map(({ url }) => browser()(url, 'olga', CALLBACK)))
    const before = await users()
    const answers = await Promise.all(returned.map((url, i) => finish(url, begun[i]!.cookie)))
    expect(answers.map((a) => a.statusCode)).toEqual([200, 200, 200])
    expect(await users()).toBe(before + 1)
  })

  it('finds the user that a directory has added by the claim of the settings', async () => {
    const { token } = await t.as('admin')(api.directories.create, {
      body: { name: 'Okta', default_access: { scope: 'account', account_sid: t.sids.a2 } },
    })
    const scim = (method: 'POST' | 'PATCH', path: string, payload: object) =>
      t.app.inject({
        method,
        url: `/scim/v2${path}`,
        headers: { authorization: `Bearer ${token}` },
        payload,
      })
    const emails = [{ value: 'olga@acme.example' }]
    const made = await scim('POST', '/Users', { userName: 'olga', externalId: 'id-olga', emails })
    const { id } = made.json()
    const first = (await join('olga')).json()
    // the directory has the last word, not the claims
    expect(first).toMatchObject({ user_sid: id, scope: 'account', account_sid: t.sids.a2 })
    idp.people.olga!.groups = []
    expect((await join('olga')).statusCode).toBe(200)
    const patch = { op: 'replace', value: { active: false } }
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
    await scim('PATCH', `/Users/${id}`, { schemas, Operations: [patch] })
    expect((await me(first.token)).statusCode).toBe(401)
    expect((await join('olga')).json().msg).toContain('deactivated')
    // another person with that name is not it
    idp.people.vera!.preferred_username = 'olga'
    expect((await join('vera')).statusCode).toBe(403)
  })

  describe('of somebody whom a directory of a provider announces', () => {
    const directory = async (provider: 'sp1' | 'sp2', account_sid: string) => {
      const { token } = await t.as('admin')(api.directories.create, {
        body: {
          name: provider,
          service_provider_sid: t.sids[provider],
          default_access: { scope: 'account', account_sid },
        },
      })
      return async (userName: string, externalId: string) => {
        const answer = await t.app.inject({
          method: 'POST',
          url: '/scim/v2/Users',
          headers: { authorization: `Bearer ${token}` },
          payload: { userName, externalId, emails: [{ value: `${userName}@acme.example` }] },
        })
        return { status: answer.statusCode, id: answer.json().id as string }
      }
    }

    it('leads where the rules place that person, not where the directory would', async () => {
      const announce = await directory('sp2', t.sids.b1)
      const { id } = await announce('another', 'id-olga')
      const olga = (await join('olga')).json()
      expect(olga).toMatchObject({ scope: 'admin' })
      expect(olga.user_sid).not.toBe(id)
      await announce('third', 'id-vera')
      expect((await join('vera')).json()).toMatchObject({ account_sid: t.sids.a1 })
    })

    it('leads to that user where the rules place the person there, or no rule does', async () => {
      const announce = await directory('sp1', t.sids.a2)
      const { id } = await announce('vera', 'id-vera')
      expect((await join('vera')).json()).toMatchObject({ user_sid: id, account_sid: t.sids.a2 })
      const stranger = await announce('stranger', 'id-stranger')
      expect((await join('stranger')).json()).toMatchObject({ user_sid: stranger.id })
    })

    it('leads nowhere where the account of the matching rule is gone', async () => {
      const announce = await directory('sp1', t.sids.a2)
      await announce('vera', 'id-vera')
      const { sid } = await t.as('admin')(api.accounts.create, {
        body: { name: 'gone', service_provider_sid: t.sids.sp1 },
      })
      const gone = { claim: 'tenant', operator: 'equals', value: 'X' } as const
      await save({ rules: [rule({ ...gone, scope: 'account', account_sid: sid })] })
      await t.as('admin')(api.accounts.remove, { params: { account_sid: sid }, body: {} })
      expect(refusal(await join('vera'))).toEqual([403, NO_RULE_MATCHES])
    })

    it('is not stopped by two who announced the same person before that was refused', async () => {
      const [mine, theirs] = [await directory('sp1', t.sids.a2), await directory('sp2', t.sids.b1)]
      const { id } = await mine('vera', 'id-vera')
      const other = await theirs('squatter', 'id-nobody')
      await t.db
        .updateTable('switchroom_identities')
        .set({ external_id: 'id-vera' })
        .where('user_sid', '=', other.id)
        .execute()
      expect((await join('vera')).json()).toMatchObject({ user_sid: id })
    })
  })

  it('is offered to the log-in page by name, without a request of its own', async () => {
    const page = (await t.app.inject('/config.js')).body
    expect(page).toContain('"single_sign_on":"Acme ID"')
    expect(page).not.toContain('canary')
    // it is in the page as well, where it must not end the script
    await save({ name: '</script><script>alert(1)</script>' })
    const { body } = await t.app.inject('/config.js')
    expect(body).not.toContain('<')
    expect(body).toContain('alert(1)')
    await save({ is_active: 0 })
    expect((await t.app.inject('/config.js')).body).not.toContain('single_sign_on')
    expect((await begin()).answer.statusCode).toBe(403)
  })
})

describe('attacks', () => {
  type Times = { iat: number }
  const refusedBy = async (tamper: IdentityProviderStandIn['behavior']['tamper']) => {
    const before = await users()
    const { url, cookie } = await begin()
    const returned = await browser()(url, 'olga', CALLBACK)
    idp.behavior.tamper = tamper
    const answer = await finish(returned, cookie)
    expect(refusal(answer)).toEqual([403, 'Acme ID did not confirm this log-in. Try again.'])
    expect(await users()).toBe(before)
  }
  const changed = (change: (claims: Record<string, unknown>) => object, header?: object) =>
    refusedBy(async (answer) => ({
      ...answer,
      id_token: await idp.sign(
        { ...decodeJwt(answer.id_token), ...change(decodeJwt(answer.id_token)) },
        header,
      ),
    }))

  it('the stand-in’s own signature is accepted, so that the others fail for their reason', async () => {
    const { url, cookie } = await begin()
    const returned = await browser()(url, 'olga', CALLBACK)
    idp.behavior.tamper = async (answer) => ({
      ...answer,
      id_token: await idp.sign(decodeJwt(answer.id_token)),
    })
    expect((await finish(returned, cookie)).statusCode).toBe(200)
  })

  it.each([
    ['another nonce', () => ({ nonce: 'another' })],
    ['no nonce', () => ({ nonce: undefined })],
    ['another issuer', () => ({ iss: 'https://evil.example' })],
    ['another audience', () => ({ aud: 'another-client' })],
    ['a time that is over', () => ({ iat: 1_600_000_000, exp: 1_600_000_600 })],
    ['no end', () => ({ exp: undefined })],
    ['a time to come', ({ iat }: Times) => ({ iat: iat + 600, exp: iat + 1_200 })],
    ['a start to come', ({ iat }: Times) => ({ nbf: iat + 600, exp: iat + 1_200 })],
  ])('a token with %s is refused', (_, change) => changed((claims) => change(claims as Times)))

  it('a token of a clock that is a little ahead is accepted', async () => {
    idp.behavior.tamper = async (answer) => {
      const { iat = 0, ...claims } = decodeJwt(answer.id_token)
      return { ...answer, id_token: await idp.sign({ ...claims, iat: iat + 240 }) }
    }
    expect((await join('olga')).statusCode).toBe(200)
  })

  it('a token signed by another key is refused', async () => {
    const { privateKey } = await generateKeyPair('RS256')
    await refusedBy(async (answer) => ({
      ...answer,
      id_token: await new SignJWT(decodeJwt(answer.id_token))
        .setProtectedHeader({ alg: 'RS256', kid: 'first' })
        .sign(privateKey),
    }))
  })

  it('a token with a key of its own in the header is refused', async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
    await refusedBy(async (answer) => ({
      ...answer,
      id_token: await new SignJWT(decodeJwt(answer.id_token))
        .setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(publicKey) })
        .sign(privateKey),
    }))
  })

  it('a token without a signature is refused', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    await refusedBy(async (answer) => ({
      ...answer,
      id_token: `${part({ alg: 'none' })}.${part(decodeJwt(answer.id_token))}.`,
    }))
  })

  it('a token signed with the client secret is refused', async () => {
    const secret = new TextEncoder().encode(CLIENT.client_secret.padEnd(32, '0'))
    await refusedBy(async (answer) => ({
      ...answer,
      id_token: await new SignJWT(decodeJwt(answer.id_token))
        .setProtectedHeader({ alg: 'HS256' })
        .sign(secret),
    }))
  })

  it('a log-in ends in the browser that started it, with its own state, once', async () => {
    const { url, cookie } = await begin()
    const elsewhere = await begin()
    const returned = await browser()(url, 'olga', CALLBACK)
    const expired = [403, SINGLE_SIGN_ON_EXPIRED]
    expect(refusal(await finish(returned, undefined))).toEqual(expired)
    expect(refusal(await finish(returned, elsewhere.cookie))).toEqual(expired)
    expect(refusal(await finish(returned, cookie, { state: 'forged' }))).toEqual(expired)
    const theirs = new URL(elsewhere.url).searchParams.get('state')
    expect(refusal(await finish(returned, cookie, { state: theirs }))).toEqual(expired)
    // none of that has used it up; the others read it before the first removes it
    const { remove } = t.ctx.live
    let [removing, answered] = [0, 0]
    t.ctx.live.remove = async (...keys) => {
      removing++
      await vi.waitUntil(() => removing + answered === 3, { timeout: 60_000, interval: 5 })
      return remove(...keys)
    }
    const finishing = [1, 2, 3].map(() => finish(returned, cookie))
    for (const one of finishing)
      one.finally(() => {
        answered++
      })
    const answers = await Promise.all(finishing)
    t.ctx.live.remove = remove
    const refusals = answers.filter((a) => a.statusCode !== 200).map(refusal)
    expect(refusals).toEqual([expired, expired])
    expect(refusal(await finish(returned, cookie))).toEqual(expired)
  })

  it('a code of another log-in is refused', async () => {
    const [mine, theirs] = [await begin(), await begin()]
    const stolen = await browser()(theirs.url, 'olga', CALLBACK)
    const state = new URL(mine.url).searchParams.get('state')
    const answer = await finish(stolen, mine.cookie, { state })
    expect(answer.statusCode).toBe(403)
    expect(await userNamed('olga')).toBeUndefined()
  })

  it('an answer of another issuer is refused (mix-up)', async () => {
    const { url, cookie } = await begin()
    const returned = await browser()(url, 'olga', CALLBACK)
    const answer = await finish(returned, cookie, { iss: 'http://evil.example' })
    expect(answer.statusCode).toBe(403)
  })

  it('a log-in that began with other settings is refused', async () => {
    const { url, cookie } = await begin()
    const returned = await browser()(url, 'olga', CALLBACK)
    await save({ client_id: 'another' })
    expect(refusal(await finish(returned, cookie))).toEqual([403, SINGLE_SIGN_ON_EXPIRED])
  })

  it('another subject with the same name is another user', async () => {
    const { user_sid } = (await join('olga')).json()
    idp.people.twin = { ...idp.people.olga }
    const answer = await join('twin')
    expect(answer.statusCode).toBe(403)
    expect((await join('olga')).json().user_sid).toBe(user_sid)
    delete idp.people.twin
  })

  it('secrets are in no response, log or audit entry', async () => {
    const { url, cookie } = await begin()
    const returned = await browser()(url, 'olga', CALLBACK)
    const answer = await finish(returned, cookie)
    const out = (await t.request(answer.json().token, 'POST', '/SingleSignOn/LogOut')).body
    const everything = [
      url,
      (await t.request('admin', 'GET', '/SingleSignOn')).body,
      (await t.request('admin', 'GET', '/AuditLog')).body,
      t.lines.join('\n'),
    ].join('\n')
    const code = returned.searchParams.get('code')!
    for (const secret of [CLIENT.client_secret, code, cookie.split('=')[1]!, answer.json().token])
      expect(everything).not.toContain(secret)
    expect(out).toContain('id_token_hint')
  })
})

describe('an issuer', () => {
  it('in an internal network needs the operator’s permission', async () => {
    await t.close()
    t = await start({ SWITCHROOM_ALLOW_NETWORKS: '10.9.9.0/24' })
    await save({ is_active: 1, issuer: idp.issuer, ...CLIENT, rules: rulesFor(t) })
    const { answer } = await begin()
    expect(answer.statusCode).toBe(502)
    expect(answer.json().msg).toContain('SWITCHROOM_ALLOW_NETWORKS')
    const check = await t.as('admin')(api.singleSignOn.check, { body: { issuer: idp.issuer } })
    expect(check).toMatchObject({ ok: false })
    expect(check.message).toContain('SWITCHROOM_ALLOW_NETWORKS')
  })

  it('without TLS needs it, too', async () => {
    await t.close()
    t = await start({ SWITCHROOM_ALLOW_NETWORKS: '' })
    const answer = await t.request('admin', 'PUT', '/SingleSignOn', {
      issuer: 'http://idp.example',
    })
    expect(answer.json().issues[0].path).toEqual(['issuer'])
  })

  it('that is down or no issuer is named, and does not hold the page', async () => {
    await save({ issuer: 'http://127.0.0.1:9' })
    expect(refusal((await begin()).answer)).toEqual([
      502,
      'Acme ID cannot be reached right now. Try again.',
    ])
    const check = (issuer: string) => t.as('admin')(api.singleSignOn.check, { body: { issuer } })
    expect((await check(`${idp.issuer}/nothing`)).message).toContain('does not publish a usable')
    expect(await check(idp.issuer)).toMatchObject({ ok: true })
    // and is tried again
    await save({ issuer: idp.issuer })
    expect((await begin()).answer.statusCode).toBe(200)
  })
})

describe('log-out', () => {
  it('here logs out there', async () => {
    const go = browser()
    const { token } = (await join('olga', go)).json()
    const { url } = (await t.request(token, 'POST', '/SingleSignOn/LogOut')).json()
    expect((await me(token)).statusCode).toBe(401)
    expect(url).toContain(`${idp.issuer}/session/end?`)
    expect((await go(url, 'olga', `${BASE}/`)).href).toMatch(`${BASE}/`)
    // the next log-in asks again
    await expect(go((await begin()).url, '', CALLBACK)).rejects.toThrow()
  })

  it('ends this session, or all of the user', async () => {
    const tokens: string[] = []
    for (let i = 0; i < 3; i++) tokens.push((await join('olga')).json().token)
    const open = () => Promise.all(tokens.map(async (token) => (await me(token)).statusCode))
    await t.request(tokens[0]!, 'POST', '/SingleSignOn/LogOut')
    expect(await open()).toEqual([401, 200, 200])
    const kept = () => t.db.selectFrom('switchroom_provider_sessions').selectAll().execute()
    expect(await kept()).toHaveLength(2)
    await t.request(tokens[1]!, 'POST', '/SingleSignOn/LogOut?everywhere=1')
    expect(await open()).toEqual([401, 401, 401])
    expect(await kept()).toEqual([])
  })

  it('of a local user needs no other page', async () => {
    expect((await t.request('a1', 'POST', '/SingleSignOn/LogOut')).json()).toEqual({ url: null })
    expect((await me('a1')).statusCode).toBe(401)
  })

  it('there ends the session here', async () => {
    idp.behavior.deliver = async (form) => (await deliver(form)).statusCode
    const go = browser()
    const { token } = (await join('olga', go)).json()
    await go(
      `${idp.issuer}/session/end?client_id=${CLIENT.client_id}`,
      'olga',
      `${idp.issuer}/session/end/success`,
    )
    await expect.poll(async () => (await me(token)).statusCode).toBe(401)
  })

  const logoutToken = (more: object = {}, header?: object) => {
    const now = Math.floor(Date.now() / 1000)
    return idp.sign(
      {
        iss: idp.issuer,
        aud: CLIENT.client_id,
        iat: now,
        exp: now + 120,
        jti: crypto.randomUUID(),
        sub: 'id-olga',
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        ...more,
      },
      header,
    )
  }
  const deliver = (payload: string) =>
    t.app.inject({
      method: 'POST',
      url: '/v1/sso/backchannel-logout',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload,
    })
  const sendLogout = (logout_token: string) =>
    deliver(new URLSearchParams({ logout_token }).toString())

  it('by a logout token with a subject ends its sessions, and no token works twice', async () => {
    const { token } = (await join('olga')).json()
    const vera = (await join('vera')).json().token
    const logout = await logoutToken({}, { typ: 'logout+jwt' })
    const answer = await sendLogout(logout)
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store'])
    expect((await me(token)).statusCode).toBe(401)
    expect((await me(vera)).statusCode).toBe(200)
    const again = (await join('olga')).json()
    expect((await sendLogout(logout)).statusCode).toBe(400)
    expect((await me(again.token)).statusCode).toBe(200)
  })

  it('by a logout token for a session ends only that one', async () => {
    const [first, second] = [(await join('olga')).json(), (await join('olga')).json()]
    const rows = await t.db.selectFrom('switchroom_provider_sessions').selectAll().execute()
    expect(rows).toHaveLength(2)
    const row = rows.find((r) => r.session_sid === decodeJwt(first.token).jti)!
    const { sid } = decodeJwt(t.ctx.box.open(row.sealed_id_token)!)
    expect((await sendLogout(await logoutToken({ sid }))).statusCode).toBe(200)
    expect((await me(first.token)).statusCode).toBe(401)
    expect((await me(second.token)).statusCode).toBe(200)
  })

  describe('of somebody whose second factor is asked for here', () => {
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
    let other: string
    beforeEach(async () => {
      other = (await join('olga')).json().token
      await t.db
        .insertInto('switchroom_totp')
        .values({
          user_sid: decodeJwt(other).user_sid as string,
          sealed_secret: t.ctx.box.seal(secret),
          last_step: 0,
          created_at: new Date().toISOString(),
        })
        .execute()
      await t.as('admin')(api.secondFactor.saveAdministratorPolicy, { body: { is_required: true } })
    })
    const firstStep = async () => {
      const answer = (await join('olga')).json()
      expect(answer.code).toBe('second_factor_required')
      return answer.second_factor.ticket as string
    }
    const secondStep = (ticket: string) => {
      const code = TOTP.generate({ secret: Secret.fromBase32(secret) })
      return t.request('', 'POST', '/login/second-factor', { ticket, code })
    }
    /** Logs out of the session that began last at the identity provider. */
    const logOutOfLatest = async () => {
      const rows = await t.db.selectFrom('switchroom_provider_sessions').selectAll().execute()
      const row = rows.find(({ session_sid }) => session_sid !== decodeJwt(other).jti)
      const { sid } = decodeJwt(t.ctx.box.open(row!.sealed_id_token)!)
      expect((await sendLogout(await logoutToken({ sid }))).statusCode).toBe(200)
    }

    it('ends the session that is named, and no other', async () => {
      const { token } = (await secondStep(await firstStep())).json()
      expect((await me(token)).statusCode).toBe(200)
      await logOutOfLatest()
      expect((await me(token)).statusCode).toBe(401)
      expect((await me(other)).statusCode).toBe(200)
    })

    it('lets no session begin that has ended before its second step', async () => {
      const ticket = await firstStep()
      await logOutOfLatest()
      expect((await secondStep(ticket)).statusCode).toBe(403)
      expect((await me(other)).statusCode).toBe(200)
      const open = await t.db
        .selectFrom('switchroom_sessions')
        .select('session_sid')
        .where('user_sid', '=', decodeJwt(other).user_sid as string)
        .where('ended_at', 'is', null)
        .execute()
      expect(open).toEqual([{ session_sid: decodeJwt(other).jti }])
    })
  })

  it.each([
    ['another issuer', { iss: 'https://evil.example' }, {}],
    ['another audience', { aud: 'another' }, {}],
    ['a nonce, which is an ID token', { nonce: 'x' }, {}],
    ['no event', { events: {} }, {}],
    ['neither subject nor session', { sub: undefined }, {}],
    ['no ID', { jti: undefined }, {}],
    ['an old time', { iat: 1_600_000_000 }, {}],
    ['a time to come', { iat: 4_000_000_000, exp: 4_000_000_120 }, {}],
    ['an end that is over', { exp: 1_600_000_000 }, {}],
    ['another type', {}, { typ: 'at+jwt' }],
  ])('by a logout token with %s is refused', async (_, claims, header) => {
    const { token } = (await join('olga')).json()
    expect((await sendLogout(await logoutToken(claims, header))).statusCode).toBe(400)
    expect((await me(token)).statusCode).toBe(200)
  })

  it('by a logout token signed by another key, or not at all, is refused', async () => {
    const { token } = (await join('olga')).json()
    const claims = decodeJwt(await logoutToken())
    const { privateKey } = await generateKeyPair('RS256')
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'first' })
      .sign(privateKey)
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    for (const logout of [forged, `${part({ alg: 'none' })}.${part(claims)}.`, 'nothing'])
      expect((await sendLogout(logout)).statusCode).toBe(400)
    expect((await me(token)).statusCode).toBe(200)
  })
})

describe('enforced', () => {
  const enforce = () => t.request('admin', 'PUT', '/SingleSignOn', { is_enforced: 1 })
  const breakGlass = () => save({ break_glass: [t.users.admin!] })
  beforeEach(async () => {
    for (const name of ['admin', 'a1']) await setPassword(name)
  })

  it('needs a log-in and a break-glass administrator first', async () => {
    const untested = await enforce()
    expect(untested.statusCode).toBe(400)
    expect(untested.json().issues[0].message).toContain('Log in with single sign-on once')
    await join('olga')
    const withoutWayBack = await enforce()
    expect(withoutWayBack.statusCode).toBe(400)
    expect(withoutWayBack.json().issues[0].message).toContain('break-glass')
    await save({ break_glass: [t.users.a1!] })
    expect((await enforce()).statusCode).toBe(400)
    await breakGlass()
    expect((await enforce()).statusCode).toBe(204)
    expect(await settings()).toMatchObject({ is_enforced: 1, enforcement_problem: null })
  })

  it('refuses passwords of all but break-glass users, and tells right ones nothing else', async () => {
    await join('olga')
    await breakGlass()
    await enforce()
    await setHash((await userNamed('olga'))!.user_sid)
    const verify = vi.spyOn(t.ctx.memory.passwords, 'verify')
    const tried = async (username: string, password: string) => {
      verify.mockClear()
      let answer = {}
      const statements = await recorded.during(async () => {
        const { statusCode, json } = await t.request('', 'POST', '/login', { username, password })
        const { request_id: _, ...body } = json()
        answer = { status: statusCode, body }
      })
      const asked = statements.filter((sql) => /users|sign_on|break_glass|factor/.test(sql))
      return { ...answer, hashes: verify.mock.calls.length, asked }
    }
    // as an authenticator app's user sends it, too
    for (const code of ['', ',123456']) {
      await t.ctx.live.removeAll('switchroom:tries:')
      const right = await tried('a1', `${PASSWORD}${code}`)
      expect(right).toMatchObject({
        status: 403,
        body: { msg: passwordRefused('Acme ID') },
        hashes: code ? 2 : 1,
      })
      for (const [name, password] of [
        ['a1', 'wrong'],
        ['nobody', 'wrong'],
        ['olga', PASSWORD],
        ['admin', 'wrong'],
      ] as const)
        expect(await tried(name, `${password}${code}`)).toEqual(right)
    }
    expect((await logIn('admin')).statusCode).toBe(200)
    expect((await join('olga')).statusCode).toBe(200)
  })

  it('locks out right passwords as it does wrong ones', async () => {
    await join('olga')
    await breakGlass()
    await enforce()
    const { tries } = t.ctx.config.lock_out
    const [right, wrong] = [PASSWORD, 'wrong'].map((password) => async (username: string) => {
      const told: string[] = []
      for (let i = 0; i <= tries; i++)
        told.push(
          (await t.request('', 'POST', '/login', { username, password })).json().msg as string,
        )
      return told
    })
    const told = await right!('a1')
    expect(told.at(-1)).toContain('Maximum login attempts')
    expect(await wrong!('b1')).toEqual(told)
  })

  it('refuses links for a new password and longer sessions, too', async () => {
    await join('olga')
    await breakGlass()
    const { token } = (await logIn('a1')).json()
    await enforce()
    expect((await t.request(token, 'POST', '/Session/renew')).statusCode).toBe(401)
    await t.request('', 'POST', '/forgot-password', { email: 'a1@example.com' })
    await expect.poll(() => t.mails.length).toBe(1)
    const link = /reset-password\/(\S+)/.exec(t.mails[0]!.text)![1]!
    expect((await t.request('', 'POST', '/signin', { link })).statusCode).toBe(403)
  })

  it('is paused rather than locking everybody out', async () => {
    await join('olga')
    await breakGlass()
    await enforce()
    await t.db.updateTable('users').set({ is_active: 0 }).where('name', '=', 'admin').execute()
    expect((await logIn('a1')).statusCode).toBe(200)
    await t.db.updateTable('users').set({ is_active: 1 }).where('name', '=', 'admin').execute()
    expect((await logIn('a1')).statusCode).toBe(403)
    // with another issuer nobody has logged in yet
    await save({ client_id: 'another' })
    expect((await logIn('a1')).statusCode).toBe(200)
  })

  it('or not, users of the identity provider have no way in of their own', async () => {
    const { user_sid } = (await join('olga')).json()
    await setHash(user_sid)
    expect((await logIn('olga')).statusCode).toBe(403)
    // neither with a passkey that they added: the identity provider could not end that
    const user = { user_sid, provider: 'oidc' }
    await expect(refuseLocalLogIn(t.ctx, user)).rejects.toThrow('Log in with Acme ID')
    await save({ is_active: 0 })
    await expect(refuseLocalLogIn(t.ctx, user)).rejects.toThrow('Log in with')
  })

  it('takes only users with a password as break-glass users', async () => {
    const { user_sid } = (await join('olga')).json()
    const answer = await t.request('admin', 'PUT', '/SingleSignOn', { break_glass: [user_sid] })
    expect(answer.json().issues[0].path).toEqual(['break_glass'])
  })
})

describe('settings', () => {
  it('never show the secret, keep it when its mask comes back, and are audited', async () => {
    const { version: _, ...before } = await settings()
    expect(before).toMatchObject({ client_secret: MASK, redirect_uri: CALLBACK, locked: {} })
    await save({ client_secret: MASK, name: 'Renamed' })
    expect((await join('olga')).statusCode).toBe(200)
    await save({ client_secret: null })
    expect((await settings()).client_secret).toBeNull()
    const { data } = (
      await t.request('admin', 'GET', '/AuditLog?page=1&kind=single_sign_on')
    ).json()
    expect(data[1].after).toEqual({ name: 'Renamed' })
    expect(data[0].after).toMatchObject({ client_secret: null })
    expect(JSON.stringify(data)).not.toContain('canary')
  })

  it('of the environment override the stored ones and cannot be changed', async () => {
    await t.close()
    t = await start({
      SWITCHROOM_SSO_ISSUER: idp.issuer,
      SWITCHROOM_SSO_CLIENT_ID: CLIENT.client_id,
      SWITCHROOM_SSO_CLIENT_SECRET: CLIENT.client_secret,
      SWITCHROOM_SSO_NAME: 'From outside',
      SWITCHROOM_SSO_RULES: JSON.stringify([rule()]),
    })
    expect(await settings()).toMatchObject({
      is_active: 1,
      client_secret: MASK,
      name: 'From outside',
      locked: { issuer: 'SWITCHROOM_SSO_ISSUER', rules: 'SWITCHROOM_SSO_RULES' },
    })
    expect((await join('olga')).statusCode).toBe(200)
    for (const [field, value] of Object.entries({
      issuer: 'https://other.example',
      client_secret: 'other',
      is_active: 0,
      rules: [],
    })) {
      const answer = await t.request('admin', 'PUT', '/SingleSignOn', { [field]: value })
      expect(answer.json().issues[0].path).toEqual([field])
    }
    const { version: _, locked: __, ...same } = await settings()
    const { name, issuer, client_secret, rules } = same
    await save({ name, issuer, client_secret, rules, scopes: 'openid email' })
    expect(await settings()).toMatchObject({ name: 'From outside', scopes: 'openid email' })
  })

  it('name rules that are not valid', async () => {
    const put = (rules: unknown) => t.request('admin', 'PUT', '/SingleSignOn', { rules })
    const at = async (rules: unknown) => (await put(rules)).json().issues[0].path
    expect(await at([rule(), { ...rule(), scope: 'account' }])).toEqual(['rules', 1, 'account_sid'])
    expect(await at([{ ...rule(), value: '' }])).toEqual(['rules', 0, 'value'])
    const missing = crypto.randomUUID()
    expect(
      await at([{ ...rule(), scope: 'service_provider', service_provider_sid: missing }]),
    ).toEqual(['rules', 0, 'service_provider_sid'])
  })

  it('do not overwrite those of somebody else', async () => {
    const { version } = await settings()
    await save({ name: 'First' })
    const answer = await t.request(
      'admin',
      'PUT',
      '/SingleSignOn',
      { name: 'Second' },
      { 'if-match': `"${version}"` },
    )
    expect(answer.statusCode).toBe(409)
  })
})

describe('testing the rules', () => {
  const test = (sample: unknown, rules?: Rules) =>
    t.as('admin')(api.singleSignOn.testRules, {
      body: {
        sample: typeof sample === 'string' ? sample : JSON.stringify(sample),
        ...(rules && { rules }),
      },
    })

  it('shows the matching rule and the user that would come out, and adds nobody', async () => {
    const before = await users()
    const claims = { sub: '1', email: 'v@acme.example', tenant: 'X' }
    const result = await test(claims)
    expect(result).toMatchObject({
      matched: 1,
      user: { name: 'v@acme.example', scope: 'account', account_name: 'a1', is_view_only: true },
      problem: null,
    })
    // an ID token works as well, whoever signed it
    expect((await test(await idp.sign(claims))).matched).toBe(1)
    expect(await users()).toBe(before)
  })

  it('reads claims by path and by a name with dots', async () => {
    const rules = (claim: string) => [rule({ claim, value: 'ops' })]
    const nested = { sub: '1', email: 'v@acme.example', realm_access: { roles: ['ops'] } }
    expect((await test(nested, rules('realm_access.roles'))).matched).toBe(0)
    const url = { sub: '1', email: 'v@acme.example', 'https://acme.example/roles': 'ops' }
    expect((await test(url, rules('https://acme.example/roles'))).matched).toBe(0)
    const inherited = await test(nested, [rule({ claim: 'constructor', operator: 'exists' })])
    expect(inherited.matched).toBeNull()
    expect(
      (await test(nested, [rule({ claim: 'realm_access.roles', value: 'op' })])).matched,
    ).toBeNull()
  })

  it('says why somebody would be refused', async () => {
    expect((await test({ sub: '1' })).problem).toBe(NO_RULE_MATCHES)
    expect((await test({ sub: '1', groups: ['ops'] })).problem).toContain('no email address')
    const answer = await t.request('admin', 'POST', '/SingleSignOn/Test', { sample: 'nonsense' })
    expect(answer.json().issues[0].path).toEqual(['sample'])
  })
})
