import { randomUUID } from 'node:crypto'
import { api, NO_RULE_MATCHES, type Sent } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { cuttable } from '../../../test/cut-database.ts'
import { recordStatements } from '../../../test/statements.ts'
import { insertMany } from '../../db/insert-many.ts'

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const TYPE = 'application/scim+json'

const recorded = recordStatements()
let t: TestApp
let token: string
beforeEach(async () => {
  t = await testApp({}, undefined, recorded.tracing)
  token = await directory()
})
afterEach(() => t.close())

type NewDirectory = Sent<typeof api.directories.create>['body']
const directory = async (more: Partial<NewDirectory> = {}) =>
  (
    await t.as('admin')(api.directories.create, {
      body: { name: 'Okta', default_access: { scope: 'admin' }, ...more },
    })
  ).token

const scim = async (method: string, path: string, body?: unknown, as = token) => {
  const answer = await t.app.inject({
    method: method as 'GET',
    url: `/scim/v2${path}`,
    headers: {
      ...(as && { authorization: `Bearer ${as}` }),
      ...(body !== undefined && { 'content-type': TYPE }),
    },
    ...(body !== undefined && {
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  })
  if (answer.statusCode === 500) console.error(t.lines.findLast((l) => l.includes('"stack"')))
  return {
    status: answer.statusCode,
    headers: answer.headers,
    json: answer.body ? answer.json() : undefined,
  }
}
const jane = (more: object = {}) => ({
  schemas: [USER],
  userName: 'jane@acme.example',
  externalId: '00u1',
  active: true,
  name: { givenName: 'Jane', familyName: 'Doe' },
  emails: [{ value: 'jane@acme.example', type: 'work', primary: true }],
  ...more,
})
const add = async (user: object = jane(), as = token): Promise<string> => {
  const { json } = await scim('POST', '/Users', user, as)
  return json.id
}
const patch = (id: string, Operations: unknown, as = token) =>
  scim('PATCH', `/Users/${id}`, { schemas: [PATCH], Operations }, as)
const row = (id: string) =>
  t.db.selectFrom('users').selectAll().where('user_sid', '=', id).executeTakeFirst()
const found = async (filter: string, as = token) => {
  const { status, json } = await scim(
    'GET',
    `/Users?filter=${encodeURIComponent(filter)}`,
    undefined,
    as,
  )
  return status === 200
    ? json.Resources.map((r: { userName: string }) => r.userName)
    : [status, json.scimType]
}

describe('users', () => {
  it('are added, read, replaced and deleted', async () => {
    const made = await scim('POST', '/Users', jane({ [ENTERPRISE]: { department: 'Ops' } }))
    expect(made.status).toBe(201)
    expect(made.headers['content-type']).toContain(TYPE)
    expect(made.headers.location).toBe(made.json.meta.location)
    const { id } = made.json
    expect(await row(id)).toMatchObject({
      name: 'jane@acme.example',
      email: 'jane@acme.example',
      provider: 'oidc',
      is_active: 1,
      account_sid: null,
    })
    expect((await scim('GET', `/Users/${id}`)).json).toEqual({
      ...jane(),
      schemas: [USER, ENTERPRISE],
      [ENTERPRISE]: { department: 'Ops' },
      id,
      meta: made.json.meta,
    })
    const replaced = await scim(
      'PUT',
      `/Users/${id}`,
      jane({ userName: 'renamed', name: undefined }),
    )
    expect(replaced.json).toMatchObject({ userName: 'renamed', active: true })
    expect(replaced.json.name).toBeUndefined()
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204)
    expect((await scim('GET', `/Users/${id}`)).status).toBe(404)
    expect(await row(id)).toBeUndefined()
    const { data } = (await t.request('admin', 'GET', '/AuditLog?page=1&kind=user')).json()
    expect(data.map((e: { action: string; actor: string }) => [e.action, e.actor])).toEqual([
      ['delete', 'Okta (SCIM)'],
      ['update', 'Okta (SCIM)'],
      ['create', 'Okta (SCIM)'],
    ])
  })

  it('keep their name and address to themselves, whoever has them', async () => {
    const id = await add()
    const again = await scim('POST', '/Users', jane({ userName: 'JANE@acme.example' }))
    expect(again).toMatchObject({ status: 409, json: { scimType: 'uniqueness', status: '409' } })
    const admin = await scim('POST', '/Users', jane({ userName: 'admin', externalId: '2' }))
    expect(admin.status).toBe(409)
    const taken = { op: 'replace', path: 'emails[type eq "work"].value', value: 'a1@example.com' }
    expect((await patch(id, [taken])).status).toBe(409)
    expect(await row(id)).toMatchObject({ email: 'jane@acme.example' })
  })

  it('are announced by one directory only, which is noted', async () => {
    const other = await directory({ name: 'Entra ID' })
    const mine = await add()
    const person = (name: string, externalId: string) =>
      jane({ userName: name, externalId, emails: [{ value: `${name}@acme.example` }] })
    const refused = { status: 409, json: { scimType: 'uniqueness' } }
    expect(await scim('POST', '/Users', person('frank', '00u1'), other)).toMatchObject(refused)
    expect(t.lines.join()).toContain('a directory announces a person who is another user already')
    expect(t.lines.join()).toContain(`"user_sid":"${mine}"`)
    const theirs = await add(person('frank', '00u2'), other)
    const path = `/Users/${theirs}`
    expect(await scim('PUT', path, person('frank', '00u1'), other)).toMatchObject(refused)
    const claim = { op: 'replace', path: 'externalId', value: '00u1' }
    expect(await patch(theirs, [claim], other)).toMatchObject(refused)
    expect((await scim('GET', path, undefined, other)).json.externalId).toBe('00u2')
    // it may repeat an announcement
    expect((await scim('PUT', path, person('fred', '00u2'), other)).status).toBe(200)
    await scim('DELETE', `/Users/${mine}`)
    expect((await patch(theirs, [claim], other)).status).toBe(200)
  })

  it('who have logged in elsewhere are not announced by a directory of a provider', async () => {
    const id = await add(jane({ externalId: 'known' }))
    await t.db
      .updateTable('switchroom_identities')
      .set({ directory_sid: null, subject_digest: 'a person' })
      .where('user_sid', '=', id)
      .execute()
    const default_access = {
      scope: 'service_provider',
      service_provider_sid: t.sids.sp1,
    } as const
    const of1 = await directory({ service_provider_sid: t.sids.sp1, default_access })
    const twin = jane({ userName: 'x', externalId: 'known', emails: [{ value: 'x@acme.example' }] })
    expect((await scim('POST', '/Users', twin, of1)).status).toBe(409)
    // whom a deleted directory has left behind it may announce
    await t.db.updateTable('switchroom_identities').set({ subject_digest: null }).execute()
    expect((await scim('POST', '/Users', twin, of1)).status).toBe(201)
  })

  it.each([
    ['Okta', [{ op: 'replace', value: { active: false } }]],
    ['Entra ID', [{ op: 'Replace', path: 'active', value: 'False' }]],
    ['Entra ID, strictly', [{ op: 'replace', path: 'active', value: false }]],
    [
      'a client with the schema in the path',
      [{ op: 'replace', path: `${USER}:active`, value: false }],
    ],
  ])(
    'are deactivated and activated as %s does it, and their sessions end',
    async (_, operations) => {
      const id = await add()
      const { beginSession } = await import('../../http/sessions.ts')
      const { claimsOf } = await import('../token-claims.ts')
      const users = await import('../queries.ts')
      const session = await beginSession(t.ctx, claimsOf((await users.withSid(t.db, id))!), {
        method: 'single_sign_on',
        meta: { ip: '127.0.0.1', user_agent: 'test' },
      })
      expect((await t.request(session, 'GET', '/Users/me')).statusCode).toBe(200)
      const off = await patch(id, operations)
      expect([off.status, off.json.active]).toEqual([200, false])
      expect(await row(id)).toMatchObject({ is_active: 0 })
      expect((await t.request(session, 'GET', '/Users/me')).statusCode).toBe(401)
      const on = JSON.parse(
        JSON.stringify(operations)
          .replace(/"False"/, '"True"')
          .replace(/false/, 'true'),
      )
      expect((await patch(id, on)).json.active).toBe(true)
      expect(await row(id)).toMatchObject({ is_active: 1 })
    },
  )

  it('take the other changes that Entra ID and Okta send', async () => {
    const id = await add()
    const entra = await patch(id, [
      { op: 'Add', path: 'name.givenName', value: 'Janet' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'Janet@acme.example' },
      { op: 'Add', path: 'emails[type eq "home"].value', value: 'j@home.example' },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Support' },
      { op: 'Add', value: { 'name.familyName': 'Roe', [`${ENTERPRISE}:costCenter`]: '7' } },
      { op: 'Remove', path: 'externalId' },
    ])
    expect(entra.json).toMatchObject({
      name: { givenName: 'Janet', familyName: 'Roe' },
      emails: [
        { value: 'Janet@acme.example', type: 'work', primary: true },
        { type: 'home', value: 'j@home.example' },
      ],
      [ENTERPRISE]: { department: 'Support', costCenter: '7' },
    })
    expect(entra.json.externalId).toBeUndefined()
    expect(await row(id)).toMatchObject({ email: 'janet@acme.example' })
    const okta = await patch(id, [
      { op: 'replace', value: { userName: 'janet', name: { givenName: 'J' } } },
      { op: 'remove', path: 'emails[type eq "home"]' },
    ])
    expect(okta.json).toMatchObject({
      userName: 'janet',
      name: { givenName: 'J', familyName: 'Roe' },
    })
    expect(okta.json.emails).toHaveLength(1)
  })

  it('that a PUT leaves out of active stay as they are', async () => {
    const id = await add(jane({ active: false }))
    const { active: _, ...rest } = jane()
    expect((await scim('PUT', `/Users/${id}`, rest)).json.active).toBe(false)
  })

  it('are never left without an administrator', async () => {
    const id = await add()
    await t.db.updateTable('users').set({ is_active: 0 }).where('user_sid', '!=', id).execute()
    expect((await patch(id, [{ op: 'replace', path: 'active', value: false }])).status).toBe(400)
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(400)
    expect(await row(id)).toMatchObject({ is_active: 1 })
  })

  it('cannot log in with a password', async () => {
    await add()
    const answer = await t.request('', 'POST', '/login', {
      username: 'jane@acme.example',
      password: 'x',
    })
    expect(answer.statusCode).toBe(403)
  })
})

describe('access', () => {
  const save = (rules: unknown) => t.request('admin', 'PUT', '/SingleSignOn', { rules })

  it('follows the access rules, and ends sessions when it changes', async () => {
    await save([
      {
        claim: 'groups',
        operator: 'contains',
        value: 'ops',
        scope: 'service_provider',
        service_provider_sid: t.sids.sp1,
      },
      {
        claim: 'department',
        operator: 'equals',
        value: 'Support',
        scope: 'account',
        account_sid: t.sids.a1,
        is_view_only: true,
      },
    ])
    const id = await add(jane({ groups: [{ value: 'g1', display: 'ops' }] }))
    expect(await row(id)).toMatchObject({ service_provider_sid: t.sids.sp1, account_sid: null })
    await patch(id, [
      { op: 'remove', path: 'groups' },
      { op: 'add', path: `${ENTERPRISE}:department`, value: 'Support' },
    ])
    expect(await row(id)).toMatchObject({ account_sid: t.sids.a1 })
    expect((await t.as('admin')(api.users.view, { params: { user_sid: id } })).is_view_only).toBe(
      true,
    )
  })

  it('is refused where no rule and no default gives any', async () => {
    const strict = await directory({ name: 'Strict', default_access: null })
    expect(await scim('POST', '/Users', jane(), strict)).toMatchObject({
      status: 400,
      json: { scimType: 'invalidValue', detail: NO_RULE_MATCHES },
    })
  })

  it('never leaves the provider of a directory, whatever the rules say', async () => {
    await save([
      { claim: 'userName', operator: 'exists', scope: 'admin' },
      { claim: 'userName', operator: 'exists', scope: 'account', account_sid: t.sids.b1 },
    ])
    const of1 = await directory({
      service_provider_sid: t.sids.sp1,
      default_access: { scope: 'service_provider', service_provider_sid: t.sids.sp1 },
    })
    const { status, json } = await scim('POST', '/Users', jane(), of1)
    expect(status).toBe(201)
    expect(await row(json.id)).toMatchObject({
      service_provider_sid: t.sids.sp1,
      account_sid: null,
    })
    for (const default_access of [
      { scope: 'admin' },
      { scope: 'account', account_sid: t.sids.b1 },
      { scope: 'service_provider', service_provider_sid: t.sids.sp2 },
    ]) {
      const answer = await t.request('admin', 'POST', '/Directories', {
        name: 'x',
        service_provider_sid: t.sids.sp1,
        default_access,
      })
      expect(answer.statusCode).toBe(400)
      const { directory_sid } = (await t.as('admin')(api.directories.list, {})).find(
        (d) => d.service_provider_sid === t.sids.sp1,
      )!
      const path = `/Directories/${directory_sid}`
      expect((await t.request('admin', 'PUT', path, { default_access })).statusCode).toBe(400)
    }
  })
})

describe('a token', () => {
  it('is needed, and only that of a directory', async () => {
    for (const wrong of [
      '',
      'scim_nothing',
      t.bearer.admin!,
      t.bearer['admin-key']!,
      `${token}x`,
    ]) {
      const { status, json, headers } = await scim('GET', '/Users', undefined, wrong)
      expect([status, json.status]).toEqual([401, '401'])
      expect(headers['www-authenticate']).toContain('Bearer')
    }
    expect((await t.request(token, 'GET', '/Users')).statusCode).toBe(401)
  })

  it('sees and changes only the users of its directory', async () => {
    const other = await directory({ name: 'Entra ID' })
    const mine = await add()
    const theirs = await add(
      jane({ userName: 'theirs', externalId: '9', emails: [{ value: 'theirs@acme.example' }] }),
      other,
    )
    for (const id of [theirs, t.users.a1!, t.users.admin!, randomUUID(), 'x']) {
      const answers = [
        await scim('GET', `/Users/${id}`),
        await scim('PUT', `/Users/${id}`, jane()),
        await patch(id, [{ op: 'replace', path: 'active', value: false }]),
        await scim('DELETE', `/Users/${id}`),
      ]
      expect(answers.map((a) => [a.status, a.json?.detail])).toEqual(
        answers.map(() => [404, 'No such user']),
      )
    }
    expect(await row(theirs)).toMatchObject({ is_active: 1 })
    expect((await scim('GET', '/Users')).json.Resources.map((r: { id: string }) => r.id)).toEqual([
      mine,
    ])
    expect(await found('userName eq "theirs" or userName eq "admin"')).toEqual([])
  })

  it('of a provider does not see a user who was moved to another', async () => {
    const of1 = await directory({
      service_provider_sid: t.sids.sp1,
      default_access: { scope: 'service_provider', service_provider_sid: t.sids.sp1 },
    })
    const id = await add(jane(), of1)
    await t.db
      .updateTable('users')
      .set({ service_provider_sid: t.sids.sp2 })
      .where('user_sid', '=', id)
      .execute()
    expect((await scim('GET', `/Users/${id}`, undefined, of1)).status).toBe(404)
    expect((await scim('DELETE', `/Users/${id}`, undefined, of1)).status).toBe(404)
    expect((await scim('GET', '/Users', undefined, of1)).json.totalResults).toBe(0)
  })

  it('is stored as a digest, shown once, replaced, and ends with its directory', async () => {
    const everything = JSON.stringify([
      await t.db.selectFrom('switchroom_directories').selectAll().execute(),
      (await t.request('admin', 'GET', '/Directories')).body,
      (await t.request('admin', 'GET', '/AuditLog')).body,
      t.lines,
    ])
    expect(everything).not.toContain(token)
    const [one] = await t.as('admin')(api.directories.list, {})
    const params = { directory_sid: one!.directory_sid }
    const next = await t.as('admin')(api.directories.replaceToken, { params })
    expect((await scim('GET', '/Users')).status).toBe(401)
    expect((await scim('GET', '/Users', undefined, next.token)).status).toBe(200)
    expect((await t.as('admin')(api.directories.list, {}))[0]).toMatchObject({ users: 0 })
    const id = await add(jane(), next.token)
    await t.as('admin')(api.directories.remove, { params })
    expect((await scim('GET', '/Users', undefined, next.token)).status).toBe(401)
    // its users stay
    expect(await row(id)).toMatchObject({ is_active: 1 })
  })

  it('goes with its provider', async () => {
    const { service_provider_sid } = await t.db
      .selectFrom('service_providers')
      .select('service_provider_sid')
      .where('name', '=', 'two')
      .executeTakeFirstOrThrow()
    const of2 = await directory({ service_provider_sid, default_access: null })
    for (const remove of t.ctx.onProviderRemoved) await remove(t.db, service_provider_sid)
    expect((await scim('GET', '/Users', undefined, of2)).status).toBe(401)
  })

  it('may be used only so often', async () => {
    const limited = await testApp({ DISABLE_RATE_LIMITS: '' })
    const ask = () =>
      limited.app.inject({ url: '/scim/v2/Users', headers: { authorization: 'Bearer scim_guess' } })
    let last = 0
    for (let i = 0; i < 130 && last !== 429; i++) last = (await ask()).statusCode
    expect(last).toBe(429)
    await limited.close()
  })

  it('is closed to a network that guesses, not to its proxy’s other clients', async () => {
    const limited = await testApp({ DISABLE_RATE_LIMITS: '', JAMBONES_TRUST_PROXY: '1' })
    const from = async (header: string, ip: string) =>
      (
        await limited.app.inject({
          url: '/scim/v2/Users',
          headers: { authorization: 'Bearer scim_guess', [header]: ip },
        })
      ).statusCode
    for (const [header, guesser, other] of [
      ['x-real-ip', () => '192.0.2.1', '192.0.2.2'],
      // one customer has a /64 at least
      ['x-forwarded-for', (i: number) => `2001:db8::${i}`, '2001:db8:0:1::1'],
    ] as const) {
      let last = 0
      for (let i = 0; i < 130 && last !== 429; i++) last = await from(header, guesser(i))
      expect(last).toBe(429)
      expect(await from(header, other)).toBe(401)
    }
    await limited.close()
  })
})

describe('groups', () => {
  const GROUP = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    displayName: 'Support',
    members: [{ value: 'x' }],
  }
  const patch = {
    schemas: [PATCH],
    Operations: [{ op: 'Add', path: 'members', value: [{ value: 'x' }] }],
  }

  it.each([
    ['Okta imports them', '/Groups?startIndex=1&count=100'],
    [
      'Okta looks for one',
      '/Groups?filter=displayName%20eq%20%22Support%22&startIndex=1&count=100',
    ],
    [
      'Entra ID looks for one',
      '/Groups?excludedAttributes=members&filter=displayName+eq+%22Support%22',
    ],
    [
      'Entra ID looks for a member',
      '/Groups?filter=id%20eq%20%221%22%20and%20members%20eq%20%222%22',
    ],
  ])('are an empty list when %s', async (_, path) => {
    const { status, headers, json } = await scim('GET', path)
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining(TYPE)])
    expect(json).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    })
  })

  it('cannot be written, and the answer says what to do instead', async () => {
    const user = await add()
    for (const [method, path, body] of [
      ['POST', '/Groups', GROUP],
      ['PUT', `/Groups/${user}`, GROUP],
      ['PATCH', `/Groups/${user}`, patch],
      ['DELETE', `/Groups/${user}`, undefined],
    ] as const) {
      const { status, json } = await scim(method, path, body)
      expect([status, json.status, json.detail]).toEqual([
        501,
        '501',
        expect.stringContaining('Assign users to the application'),
      ])
    }
    // the sid of a user is no group
    expect((await scim('GET', `/Groups/${user}`)).status).toBe(404)
    expect((await scim('GET', `/Users/${user}`)).status).toBe(200)
    expect((await scim('GET', '/Groups?filter=displayName')).status).toBe(400)
  })

  it('are promised nowhere, and told to nobody without a token', async () => {
    for (const path of ['/ResourceTypes', '/Schemas'])
      expect(JSON.stringify((await scim('GET', path)).json)).not.toMatch(/"Group"|2\.0:Group/)
    expect((await scim('GET', '/ResourceTypes/Group')).status).toBe(404)
    for (const [method, body] of [
      ['GET', undefined],
      ['POST', GROUP],
    ] as const)
      expect((await scim(method, '/Groups', body, '')).status).toBe(401)
  })
})

describe('a filter', () => {
  beforeEach(async () => {
    await add()
    await add(
      jane({
        userName: 'mary',
        externalId: "O'Hara",
        active: false,
        emails: [{ value: 'mary@acme.example' }],
      }),
    )
  })

  const cases: [filter: string, expected: unknown[]][] = [
    ['userName eq "JANE@acme.example"', ['jane@acme.example']],
    ['username Eq "mary"', ['mary']],
    [`externalId eq "O'Hara"`, ['mary']],
    ['externalId eq "O\'HARA"', []],
    ['active eq true', ['jane@acme.example']],
    ['active eq "False"', ['mary']],
    ['emails.value eq "Mary@acme.example"', ['mary']],
    ['emails[type eq "work"].value eq "mary@acme.example"', ['mary']],
    ['emails[type eq "work" and value eq "mary@acme.example"]', ['mary']],
    ['active eq false and userName eq "mary"', ['mary']],
    [
      'userName eq "nobody" or (externalId eq "00u1" and not (active eq false))',
      ['jane@acme.example'],
    ],
    ['userName sw "ma"', ['mary']],
    ['userName co "%"', []],
    ['externalId pr and userName ne "mary"', ['jane@acme.example']],
    [`${USER}:userName eq "mary"`, ['mary']],
    // nothing of a text becomes part of the query
    [`userName eq "x\\" or 1=1 --"`, []],
    [`userName eq "' or '1'='1"`, []],
    ['hashed_password sw "$argon2"', [400, 'invalidFilter']],
    ['users.hashed_password pr', [400, 'invalidFilter']],
    ['constructor eq "x"', [400, 'invalidFilter']],
    ['userName', [400, 'invalidFilter']],
    ['userName eq 1', [400, 'invalidFilter']],
    ['active eq "perhaps"', [400, 'invalidFilter']],
    ['userName gt "a"', [400, 'invalidFilter']],
    [`${'('.repeat(900)}userName pr${')'.repeat(900)}`, ['jane@acme.example', 'mary']],
    [`${'not ('.repeat(100)}userName pr${')'.repeat(100)}`, [400, 'invalidFilter']],
    ['x'.repeat(3_000), [400, 'invalidFilter']],
  ]
  const titled = cases.map(([filter, expected]) => ({
    filter,
    expected,
    title: filter.slice(0, 60),
  }))
  it.each(titled)('$title', async ({ filter, expected }) => {
    const got = await found(filter)
    expect(got[0] === 400 ? got : got.sort()).toEqual(expected)
  })
})

describe('a list', () => {
  it('has pages from any start, with a bound', async () => {
    const ids: string[] = []
    for (let i = 0; i < 5; i++)
      ids.push(
        await add(
          jane({
            userName: `u${i}`,
            externalId: `${i}`,
            emails: [{ value: `u${i}@acme.example` }],
          }),
        ),
      )
    const page = async (query: string) => {
      const { json } = await scim('GET', `/Users?${query}`)
      return [
        json.totalResults,
        json.startIndex,
        json.itemsPerPage,
        json.Resources.map((r: { id: string }) => ids.indexOf(r.id)).length,
      ]
    }
    expect(await page('startIndex=1&count=2')).toEqual([5, 1, 2, 2])
    expect(await page('startIndex=5&count=2')).toEqual([5, 5, 1, 1])
    expect(await page('startIndex=6')).toEqual([5, 6, 0, 0])
    expect(await page('count=0')).toEqual([5, 1, 0, 0])
    expect(await page('startIndex=-3&count=-1')).toEqual([5, 1, 0, 0])
    expect(await page('startIndex=x&count=y')).toEqual([5, 1, 5, 5])
    const seen = new Set<string>()
    for (const start of [1, 3, 5]) {
      const { json } = await scim('GET', `/Users?startIndex=${start}&count=2`)
      for (const user of json.Resources) seen.add(user.id)
    }
    expect(seen.size).toBe(5)
  })

  it('of many users reads only its page', async () => {
    const { directory_sid } = (await t.as('admin')(api.directories.list, {}))[0]!
    const many = Array.from({ length: 1_000 }, (_, i) => ({ user_sid: randomUUID(), i }))
    await insertMany(
      t.db,
      'users',
      many.map(({ user_sid, i }) => ({
        user_sid,
        name: `m${i}`,
        email: `m${i}@acme.example`,
        provider: 'oidc',
      })),
    )
    await insertMany(
      t.db,
      'switchroom_identities',
      many.map(({ user_sid, i }) => ({
        user_sid,
        subject_digest: null,
        issuer: null,
        subject: null,
        external_id: `m${i}`,
        directory_sid,
        details: '{}',
        ended_by_provider: 0,
        created_at: i,
        changed_at: i,
      })),
    )
    const statements = await recorded.during(async () => {
      const { json } = await scim('GET', '/Users?startIndex=901&count=100')
      expect([json.totalResults, json.Resources.length]).toEqual([1_000, 100])
    })
    expect(statements.length).toBeLessThan(10)
    expect(recorded.rows()).toBeLessThan(120)
    expect(await found('externalId eq "m999"')).toEqual(['m999'])
    expect((await scim('GET', '/Users?count=100000')).json.Resources).toHaveLength(200)
  })
})

describe('errors', () => {
  it.each([
    ['broken JSON', 'POST', '/Users', '{"a":', 400, 'invalidSyntax'],
    ['a list', 'POST', '/Users', [], 400, 'invalidValue'],
    ['no userName', 'POST', '/Users', { emails: [{ value: 'a@b.example' }] }, 400, 'invalidValue'],
    ['no address', 'POST', '/Users', { userName: 'x' }, 400, 'invalidValue'],
    [
      'a prototype',
      'POST',
      '/Users',
      '{"__proto__":{"x":1},"userName":"a@b.example"}',
      400,
      'invalidSyntax',
    ],
    ['NUL', 'POST', '/Users', { userName: 'a\0@b.example' }, 400, 'invalidValue'],
    [
      'long attributes',
      'POST',
      '/Users',
      { userName: 'a@b.example', x: 'x'.repeat(40_000) },
      400,
      'invalidValue',
    ],
    [
      'too much',
      'POST',
      '/Users',
      { userName: 'a@b.example', x: 'x'.repeat(200_000) },
      413,
      undefined,
    ],
    ['another path', 'GET', '/Bulk', undefined, 404, undefined],
    ['no schema', 'GET', '/Schemas/x', undefined, 404, undefined],
  ])('of %s are SCIM’s', async (_, method, path, body, status, scimType) => {
    const answer = await scim(method, path, body)
    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toContain(TYPE)
    expect(answer.json).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      detail: expect.any(String),
    })
    expect(answer.json.scimType).toBe(scimType)
  })

  it.each([
    ['no operations', []],
    ['an unknown operation', [{ op: 'move', path: 'x', value: 1 }]],
    ['a prototype', [{ op: 'add', path: '__proto__.x', value: 1 }]],
    ['a prototype below', [{ op: 'add', path: 'name.__proto__', value: { x: 1 } }]],
    ['the ID', [{ op: 'replace', path: 'id', value: 'x' }]],
    ['a broken path', [{ op: 'add', path: 'emails[', value: 1 }]],
    ['a broken filter', [{ op: 'add', path: 'emails[type eq].value', value: 1 }]],
    ['nothing to remove', [{ op: 'remove' }]],
    ['no boolean', [{ op: 'replace', path: 'active', value: 'perhaps' }]],
    ['no user at the end', [{ op: 'remove', path: 'userName' }]],
  ])('of a PATCH with %s change nothing', async (_, operations) => {
    const id = await add()
    const before = (await scim('GET', `/Users/${id}`)).json
    expect((await patch(id, operations)).status).toBe(400)
    expect((await scim('GET', `/Users/${id}`)).json).toEqual(before)
    expect({}).not.toHaveProperty('x')
  })

  it('of a database that goes away are 503, and nothing is half done', async () => {
    const { cutAt, mend, restore } = cuttable(t.db)
    const id = await add()
    for (let n = 1; n < 60; n++) {
      cutAt((_, number) => number === n)
      const off = await patch(id, [{ op: 'replace', value: { active: false, userName: 'x' } }])
      const sent = mend()
      if (sent.length < n) break
      expect([off.status, off.json.status]).toEqual([503, '503'])
      const { userName, active } = (await scim('GET', `/Users/${id}`)).json
      expect(userName).toBe(active ? 'jane@acme.example' : 'x')
    }
    restore()
    expect(await row(id)).toMatchObject({ is_active: 0, name: 'x' })
  })

  it('are described with the rest', async () => {
    const config = (await scim('GET', '/ServiceProviderConfig')).json
    expect(config).toMatchObject({ patch: { supported: true }, filter: { maxResults: 200 } })
    const types = (await scim('GET', '/ResourceTypes')).json
    expect(types.Resources).toMatchObject([{ endpoint: '/Users', schema: USER }])
    const { Resources } = (await scim('GET', '/Schemas')).json
    expect(Resources.map((s: { id: string }) => s.id)).toEqual([USER, ENTERPRISE])
    expect((await scim('GET', `/Schemas/${USER}`)).json.name).toBe('User')
  })

  it('have no SCIM to be of in the hosted variant', async () => {
    const hosted = await testApp({ ENABLE_HOSTED_SYSTEM: '1' })
    expect((await hosted.app.inject('/scim/v2/Users')).statusCode).toBe(404)
    await hosted.close()
  })
})
