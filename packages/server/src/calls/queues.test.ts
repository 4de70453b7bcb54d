import { api } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { testPlatform } from '../../test/stand-ins/feature-server.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())
const of = (account_sid: string) => ({ params: { account_sid } })

it('has none without a platform', async () => {
  const as = t.as('a1')
  expect(await as(api.queues.ofAccount, { ...of(t.sids.a1), query: {} })).toEqual([])
  expect(await as(api.queues.conferencesOfAccount, of(t.sids.a1))).toEqual([])
  expect(await as(api.queues.list, { query: {} })).toMatchObject({ data: [], total: 0 })
})

it('rejects patterns that are expensive for Redis', async () => {
  const listed = t.as('a1')(api.queues.ofAccount, {
    ...of(t.sids.a1),
    query: { search: '*a*a*a*a*a*b' },
  })
  await expect(listed).rejects.toMatchObject({ status: 400, body: { msg: 'At most 4 wildcards' } })
})

describe.each(process.env.TEST_REDIS_URL ? ['Redis'] : [])('with %s', () => {
  let platform: ReturnType<typeof testPlatform>
  beforeEach(async () => {
    platform = testPlatform(t.redis!)
    await platform.queue(t.sids.a1, 'support', 3)
    await platform.queue(t.sids.a1, 'sales')
    await platform.queue(t.sids.b1, 'secret')
    await platform.conference(t.sids.a1, 'weekly')
    await platform.conference(t.sids.a1, 'waitlist')
    await platform.redis.addToSet(`conf:${t.sids.a1}:weekly:waitlist`, 'http://fs/1')
    await platform.conference(t.sids.a2, 'daily')
  })
  afterEach(() => platform.close())

  it('lists the queues and conferences of an account', async () => {
    const as = t.as('a1')
    expect(await as(api.queues.ofAccount, { ...of(t.sids.a1), query: {} })).toEqual([
      { name: 'sales', length: 1 },
      { name: 'support', length: 3 },
    ])
    const some = await as(api.queues.ofAccount, { ...of(t.sids.a1), query: { search: 'sup*' } })
    expect(some).toEqual([{ name: 'support', length: 3 }])
    const escaping = { search: `x:*${t.sids.b1}*` }
    expect(await as(api.queues.ofAccount, { ...of(t.sids.a1), query: escaping })).toEqual([])
    expect(await as(api.queues.conferencesOfAccount, of(t.sids.a1))).toEqual(['waitlist', 'weekly'])
  })

  it('shows each caller those of its own accounts', async () => {
    const names = async (who: string, query = {}) =>
      (await t.as(who)(api.queues.list, { query }))!.data.map((g) => `${g.name} ${g.length}`).sort()
    const a1 = ['sales 1', 'support 3', 'waitlist 0', 'weekly 1']
    expect(await names('a1')).toEqual(a1)
    expect(await names('sp1')).toEqual(['daily 0', ...a1].sort())
    expect(await names('sp2')).toEqual(['secret 1'])
    expect(await names('sp2', { account_sid: t.sids.a1 })).toEqual([])
    expect(await names('admin', { filter: 'SAL' })).toEqual(['sales 1'])
  })

  it('reports that Redis is unavailable', async () => {
    await t.ctx.state.close()
    for (const path of ['/LiveQueues', '/LiveCalls', '/LiveRegistrations']) {
      const answer = await t.request('b1', 'GET', path)
      expect([answer.statusCode, answer.json().msg]).toEqual([
        503,
        'Live state is unavailable right now',
      ])
    }
  })
})
