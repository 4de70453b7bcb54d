import { randomUUID } from 'node:crypto'
import { api, type Endpoint, isCreation } from '@switchroom/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forgetOldCreations } from '../../src/http/creations.ts'
import { type TestApp, testApp } from '../app.ts'
import { type StripeStandIn, stripeStandIn } from '../stand-ins/stripe.ts'
import { recordStatements } from '../statements.ts'
import { endpoints, type World } from './lines.ts'
import { byWorld, worlds } from './worlds.ts'

/** `Idempotency-Key`: every creation of the contract happens once, however often it is sent. */

let stripe: StripeStandIn
const servers = worlds(() => stripe)
beforeAll(async () => {
  stripe = await stripeStandIn()
})
afterAll(async () => {
  await servers.close()
  await stripe.close()
})

const creations = endpoints.filter(({ e }) => isCreation(e))

/** Who may call an endpoint that is not for everybody. */
const callerOf = (e: Endpoint) =>
  e.access === 'account' || e.access === 'service_provider' ? 'sp1' : 'admin'

const pathOf = (e: Endpoint, params: Record<string, string> = {}) =>
  e.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')

/** Sends a creation to an endpoint, with the data of its line. */
function sending(t: TestApp, w: World, { e, line }: (typeof creations)[number]) {
  const who = callerOf(e)
  const body = line.body?.(w) ?? {}
  const path = pathOf(e, line.params?.(w))
  return (key: string) => t.request(who, e.method, path, body, { 'idempotency-key': key })
}

const rowsOf = async (t: TestApp) =>
  (await t.db.selectFrom('switchroom_audit').select('seq').execute()).length

describe.each(byWorld(creations))('$title', (one) => {
  it('happens once, and answers the same', async () => {
    const { t, w } = await servers.for(one)
    const send = sending(t, w, one)
    const key = randomUUID()
    const first = await send(key)
    expect(first.statusCode, first.body).toBe(201)
    const entries = await rowsOf(t)
    const again = await send(key)
    expect([again.statusCode, again.json()]).toEqual([201, first.json()])
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(await rowsOf(t)).toBe(entries)
    const stored = await t.db.selectFrom('switchroom_creations').selectAll().execute()
    for (const value of Object.values(first.json() as Record<string, unknown>).flat())
      if (value !== null) expect(JSON.stringify(stored)).not.toContain(String(value))
  })
})

describe('a key', () => {
  let t: TestApp
  const recorded = recordStatements()
  beforeAll(async () => {
    t = await testApp({}, undefined, recorded.tracing)
  })
  afterAll(() => t.close())

  const keyed = (key: string) => ({ 'idempotency-key': key })
  let made = 0
  const application = () => ({
    ...{ name: `once ${++made}`, account_sid: t.sids.a1 },
    call_hook: { url: 'https://example.com/hook', method: 'POST' },
    call_status_hook: { url: 'https://example.com/hook', method: 'POST' },
  })
  const create = (body: object, key: string, who = 'a1-key') =>
    t.request(who, 'POST', '/Applications', body, keyed(key))
  const named = (name: string) =>
    t.db.selectFrom('applications').select('name').where('name', '=', name).execute()

  it('is refused with another request, and named', async () => {
    const key = randomUUID()
    await create(application(), key)
    const other = [
      await create(application(), key),
      await t.request('a1-key', 'POST', '/PhoneNumbers', { number: '1' }, keyed(key)),
    ]
    for (const { statusCode, body } of other) {
      expect(statusCode).toBe(422)
      expect(JSON.parse(body)).toMatchObject({
        code: 'conflict',
        issues: [{ path: ['Idempotency-Key'], message: 'This key was sent with another request' }],
      })
    }
  })

  it.each(['', 'a b', 'ü', 'x'.repeat(256)])('is refused as "%s"', async (key) => {
    const { statusCode, body } = await create(application(), key)
    expect(statusCode).toBe(400)
    expect(JSON.parse(body).issues[0].path).toEqual(['Idempotency-Key'])
  })

  it("is its caller's own", async () => {
    const key = randomUUID()
    const keys = { account_sid: t.sids.a1, name: 'mine' }
    const send = (who: string) => t.request(who, 'POST', '/ApiKeys', keys, keyed(key))
    const tokens = [await send('a1'), await send('a1-key'), await send('sp1'), await send('admin')]
    expect(tokens.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201])
    expect(new Set(tokens.map((r) => r.json().token)).size).toBe(4)
  })

  it('is read as whoever may still create: not with view-only access', async () => {
    const key = randomUUID()
    expect((await create(application(), key, 'a1-viewer')).statusCode).toBe(403)
  })

  it('makes one thing of several requests at once', async () => {
    const [key, body] = [randomUUID(), application()]
    const answers = await Promise.all([1, 2, 3, 4].map(() => create(body, key)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201])
    expect(new Set(answers.map((r) => r.json().sid)).size).toBe(1)
    expect(await named(body.name)).toHaveLength(1)
  })

  it('makes one thing of several where no name is unique', async () => {
    const key = randomUUID()
    const send = () =>
      t.request('a1', 'POST', '/ApiKeys', { account_sid: t.sids.a1, name: 'race' }, keyed(key))
    const answers = await Promise.all([1, 2, 3, 4].map(send))
    expect(new Set(answers.map((r) => r.json().token)).size).toBe(1)
    const { rows } = await sql`select name from switchroom_api_keys where name = 'race'`.execute(
      t.db,
    )
    expect(rows).toHaveLength(1)
  })

  it('takes no number with it that is added at the same time', async () => {
    const key = randomUUID()
    const add = (number: string, headers = {}) =>
      t.request('a1-key', 'POST', '/PhoneNumbers', { number }, headers)
    const answers = await Promise.all([
      add('4930111', keyed(key)),
      add('4930111', keyed(key)),
      add('4930112'),
      add('4930113'),
    ])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201])
    expect(answers[0]!.json()).toEqual(answers[1]!.json())
  })

  it('is free again after a failure', async () => {
    const [key, body] = [randomUUID(), application()]
    const wrong = await create({ ...body, account_sid: t.sids.a2 }, key)
    expect(wrong.statusCode).toBeGreaterThanOrEqual(400)
    expect((await create(body, key)).statusCode).toBe(201)
  })

  it('is stored with the thing, or neither is', async () => {
    const [key, body] = [randomUUID(), application()]
    const head = await t.db
      .selectFrom('switchroom_audit_head')
      .selectAll()
      .executeTakeFirstOrThrow()
    await t.db.deleteFrom('switchroom_audit_head').execute()
    const error = console.error
    console.error = () => {}
    const failed = await create(body, key)
    console.error = error
    await t.db.insertInto('switchroom_audit_head').values(head).execute()
    expect(failed.statusCode).toBe(500)
    expect(await named(body.name)).toEqual([])
    const again = await create(body, key)
    expect([again.statusCode, again.headers['idempotent-replayed']]).toEqual([201, undefined])
  })

  it('is forgotten after a day', async () => {
    const [key, body] = [randomUUID(), application()]
    const count = async () =>
      (await t.db.selectFrom('switchroom_creations').select('key_digest').execute()).length
    const first = await create(body, key)
    const day = Date.now() - 24 * 3_600_000 - 1
    await t.db.updateTable('switchroom_creations').set({ created_at: day }).execute()
    const next = application()
    const second = await create(next, key)
    expect(second.json().sid).not.toBe(first.json().sid)
    expect((await create(next, key)).json()).toEqual(second.json())
    await forgetOldCreations(t.db)
    expect(await count()).toBe(1)
    await forgetOldCreations(t.db, Date.now() + 24 * 3_600_000 + 1_000)
    expect(await count()).toBe(0)
  })

  it('costs nothing where there is none', async () => {
    const send = () => t.request('a1-key', 'POST', '/Applications', application())
    const statements = await recorded.during(send)
    expect(statements.length).toBeGreaterThan(0)
    expect(statements.filter((sql) => sql.includes('switchroom_creations'))).toEqual([])
  })
})

it('is honoured by what adds a thing, and nothing else', () => {
  const all = Object.values(api).flatMap((group) =>
    Object.values(group as Record<string, Endpoint>),
  )
  const answering201 = all.filter((e) => e.method === 'POST' && e.status === 201)
  expect(answering201.filter((e) => !isCreation(e)).map((e) => e.path)).toEqual([
    '/SystemInformation',
    '/PasswordSettings',
    '/Subscriptions',
    '/Accounts/:account_sid/Limits',
    '/ServiceProviders/:service_provider_sid/Limits',
  ])
})
