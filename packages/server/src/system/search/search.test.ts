import { type ApiKeyKind, api } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callLine, send, storeKinds, testStore } from '../../../test/calls.ts'
import { StoreUnavailable } from '../../stores/kit/unavailable.ts'

const hook = { url: 'https://example.com/hook', method: 'POST' as const }
const CALLERS = ['admin', 'sp1', 'sp2', 'a1', 'a2', 'b1'] as const
let t: TestApp
/** Resources with "Kestrel" in their names, by the account that they belong to. */
const sids: Record<string, string[]> = {}

/** One thing of every kind that an account has, all named alike. */
async function addThings(who: 'a1' | 'b1') {
  const account_sid = t.sids[who]
  const as = t.as(who)
  const digits = who === 'a1' ? '0084' : '0099'
  const { sid: application } = await as(api.applications.create, {
    body: { name: `Kestrel app ${who}`, account_sid, call_hook: hook, call_status_hook: hook },
  })
  const { sid: carrier } = await as(api.voipCarriers.create, {
    body: { name: `Kestrel trunk ${who}`, account_sid },
  })
  const { sid: number } = await as(api.phoneNumbers.create, {
    body: {
      number: `1508555${digits}`,
      account_sid,
      application_sid: application,
      voip_carrier_sid: carrier,
      description: `Kestrel desk ${who}`,
    },
  })
  const { sid: client } = await as(api.clients.create, {
    body: { username: `kestrel-${who}`, password: 'a long enough secret', account_sid },
  })
  const { user_sid: user } = await t.as('admin')(api.users.create, {
    body: {
      name: `kestrel.${who}`,
      email: `${who}@kestrel.example.com`,
      initial_password: 'Corncrake-Marsh-42',
      account_sid,
    },
  })
  const { sid: table } = await as(api.lcrs.create, {
    body: { name: `Kestrel routes ${who}`, account_sid },
  })
  sids[who] = [application, carrier, number, client, user, table]
}

beforeAll(async () => {
  t = await testApp()
  await addThings('a1')
  await addThings('b1')
  const shared = { body: { name: 'Kestrel shared' } }
  sids.sp1 = [(await t.as('sp1')(api.voipCarriers.create, shared)).sid]
})
afterAll(() => t.close())

const find = async (who: string, q: string, more: object = {}) =>
  (await t.as(who)(api.search.find, { query: { q, ...more } })).data
const sidsOf = async (who: string, q: string, more: object = {}) =>
  (await find(who, q, more)).map((f) => f.sid).sort()
const expected = (...of: string[]) => of.flatMap((who) => sids[who]!).sort()

describe('a search', () => {
  it('finds what the caller may see, and nothing else', async () => {
    expect(await sidsOf('a1', 'kestrel')).toEqual(expected('a1', 'sp1'))
    expect(await sidsOf('b1', 'kestrel')).toEqual(expected('b1'))
    expect(await sidsOf('a2', 'kestrel')).toEqual(expected('sp1'))
    expect(await sidsOf('sp1', 'kestrel')).toEqual(expected('a1', 'sp1'))
    expect(await sidsOf('sp2', 'kestrel')).toEqual(expected('b1'))
    expect(await sidsOf('admin', 'kestrel')).toEqual(expected('a1', 'b1', 'sp1'))
    const of = { service_provider_sid: t.sids.sp2 }
    expect(await sidsOf('admin', 'kestrel', of)).toEqual(expected('b1'))
    // another's provider in the query shows nothing of it
    expect(await sidsOf('sp1', 'kestrel', of)).toEqual([])
    expect(await sidsOf('a1', 'kestrel', of)).toEqual([])
  })

  it('finds a thing by its sid, or the first group of it, within scope', async () => {
    for (const sid of sids.b1!) {
      expect(await sidsOf('b1', sid)).toEqual([sid])
      expect(await sidsOf('admin', sid.toUpperCase())).toEqual([sid])
      expect(await sidsOf('sp1', sid)).toEqual([])
      // digits alone are a number's
      const start = sid.slice(0, Math.max(13, sid.search(/[a-f]/) + 1))
      expect(await sidsOf('b1', start)).toEqual([sid])
      expect(await sidsOf('a1', start)).toEqual([])
    }
  })

  it('finds numbers as people write them, at their beginning, inside, or without country code', async () => {
    const [, , number] = sids.a1!
    for (const typed of [
      '+1 (508) 555-0084',
      '(508) 555-0084',
      '508 555 00',
      '1508555008',
      '0084',
      '001 508 555 0084',
      '55500',
    ])
      expect(await sidsOf('a1', typed), typed).toEqual([number])
    expect(await sidsOf('sp2', '(508) 555-0084')).toEqual([])
    expect(await sidsOf('a1', '5550099')).toEqual([])
    expect((await find('admin', '(508) 555')).map((f) => f.name)).toEqual([
      '15085550084',
      '15085550099',
    ])
  })

  it('shows the best matches of a kind first, and few', async () => {
    for (const name of [
      'Owl',
      'Barn owl',
      'Owl north',
      ...'abcdefg'.split('').map((c) => `Zz owl ${c}`),
    ])
      await t.as('a2')(api.applications.create, {
        body: { name, account_sid: t.sids.a2, call_hook: hook, call_status_hook: hook },
      })
    const found = await find('a2', 'owl')
    expect(found.map((f) => f.name)).toEqual([
      'Owl',
      'Owl north',
      'Barn owl',
      'Zz owl a',
      'Zz owl b',
      'Zz owl c',
    ])
    expect(await find('a2', '%')).toEqual([])
  })

  it('tells which account and provider a thing is of', async () => {
    const [application] = sids.b1!
    expect(await find('admin', application!)).toEqual([
      {
        kind: 'application',
        sid: application,
        name: 'Kestrel app b1',
        detail: 'b1',
        found_by: null,
        is_similar: false,
        service_provider_sid: t.sids.sp2,
      },
    ])
    const users = (await find('admin', 'kestrel')).filter((f) => f.kind === 'user')
    expect(users[0]).toMatchObject({
      detail: 'a1@kestrel.example.com',
      service_provider_sid: t.sids.sp1,
    })
  })

  it('finds accounts and, for administrators, providers', async () => {
    const kinds = async (who: string, q: string) =>
      (await find(who, q)).map((f) => `${f.kind} ${f.name}`)
    expect(await kinds('admin', t.sids.sp2)).toEqual(['service_provider two'])
    expect(await kinds('sp2', t.sids.sp2)).toEqual([])
    expect(await kinds('a1', t.sids.a1)).toEqual(['account a1'])
    expect(await kinds('a1', t.sids.a2)).toEqual([])
  })

  it('shows an API key only kinds that it covers', async () => {
    const key = async (kinds: ApiKeyKind[]) => {
      const { token } = await t.as('a1')(api.apiKeys.create, {
        body: { account_sid: t.sids.a1, name: kinds.join(), kinds },
      })
      const answer = await t.app.inject({
        url: '/api/v1/Search?q=kestrel',
        headers: { authorization: `Bearer ${token}` },
      })
      return answer.json().data.map((f: { kind: string }) => f.kind)
    }
    expect(await key(['carriers'])).toEqual(['voip_carrier', 'voip_carrier'])
    expect(await key(['alerts'])).toEqual([])
  })

  it('asks for a text', async () => {
    const answer = await t.request('a1', 'GET', '/Search?q=%20')
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ msg: 'Enter a search term' })
  })
})

describe.each(storeKinds)('with calls in %s', (kind) => {
  const now = Date.now()
  const call = (who: 'a1' | 'b1', i: number, answered: boolean, fields: object = {}) =>
    callLine({
      ms: now - i * 60_000,
      ns: i,
      tags: {
        account_sid: t.sids[who],
        service_provider_sid: who === 'b1' ? t.sids.sp2 : t.sids.sp1,
        answered: String(answered),
        direction: 'inbound',
        trunk: 'North',
        host: '10.0.0.1',
      },
      fields: {
        call_sid: `3f0e0a86-0000-4000-8000-00000000000${i}`,
        sip_callid: `a84b4c76e6671${i}@pbx.example.com`,
        from: '+442079460000',
        to: '+15085550084',
        duration: 10,
        sip_status: answered ? 200 : 486,
        ...fields,
      },
    })
  beforeAll(async () => {
    const store = await testStore(kind)
    const before = t.ctx.stores.calls
    t.ctx.stores.calls = store.calls
    const lines = [
      call('a1', 1, true),
      call('a1', 2, false, { termination_reason: 'busy', trace_id: 'ab12'.repeat(8) }),
      call('a1', 3, false),
      call('b1', 4, false),
      // the day before yesterday
      callLine({
        ms: now - 48 * 3_600_000,
        ns: 9,
        tags: { account_sid: t.sids.a1 },
        fields: { to: '15085550084' },
      } as never),
    ]
    expect(await send(store, lines.join('\n'))).toMatchObject({ status: 204 })
    return async () => {
      t.ctx.stores.calls = before
      await store.close()
    }
  })

  it('finds a call by its ids, within scope', async () => {
    const call_sid = '3f0e0a86-0000-4000-8000-000000000002'
    for (const q of [call_sid, 'a84b4c76e66712@pbx.example.com', 'AB12'.repeat(8)]) {
      expect(await find('a1', q)).toMatchObject([
        { kind: 'call', sid: call_sid, name: '+442079460000 → +15085550084' },
      ])
      expect(await find('sp1', q)).toHaveLength(1)
      for (const who of ['b1', 'a2', 'sp2']) expect(await find(who, q), who).toEqual([])
      const [listed, viewed] = [
        await t.request(
          'a1',
          'GET',
          `/Accounts/${t.sids.a1}/RecentCalls?page=1&count=5&filter=${q}`,
        ),
        await t.request('a1', 'GET', `/RecentCalls/${q}`),
      ]
      expect(
        listed.json().data.map((c: { call_sid: string }) => c.call_sid),
        q,
      ).toEqual([call_sid])
      expect(viewed.json().call_sid, q).toBe(call_sid)
    }
  })

  it('tells who has a number, and how its calls went', async () => {
    const answer = (who: string, number = '(508) 555-0084') =>
      t.as(who)(api.search.number, { query: { number } })
    expect(await answer('a1')).toMatchObject({
      digits: '5085550084',
      phone_number: {
        number: '15085550084',
        account_name: 'a1',
        application_name: 'Kestrel app a1',
        voip_carrier_name: 'Kestrel trunk a1',
        service_provider_sid: t.sids.sp1,
      },
      calls: {
        total: 3,
        answered: 1,
        last_failure: {
          call_sid: '3f0e0a86-0000-4000-8000-000000000002',
          sip_status: 486,
          termination_reason: 'busy',
        },
      },
    })
    // another account's number, and its calls, are nobody's
    expect(await answer('a2')).toMatchObject({
      phone_number: null,
      calls: { total: 0, answered: 0, last_failure: null },
    })
    expect(await answer('b1')).toMatchObject({ phone_number: null, calls: { total: 1 } })
    expect(await answer('admin')).toMatchObject({ calls: { total: 4 } })
    const refused = await t.request('a1', 'GET', '/Search/Number?number=12')
    expect(refused.json()).toMatchObject({ msg: 'Enter a phone number of at least three digits' })
  })
})

it('finds names while the store of calls is down', async () => {
  const { calls } = t.ctx.stores
  onTestFinished(() => {
    t.ctx.stores.calls = calls
  })
  t.ctx.stores.calls = {
    ...calls,
    find: async () => {
      throw new StoreUnavailable('The call records cannot be reached')
    },
  }
  expect(await sidsOf('a1', sids.a1![0]!)).toEqual([sids.a1![0]])
})

it('lets every kind of caller search', async () => {
  for (const who of CALLERS) expect(await find(who, 'no such thing')).toEqual([])
})
