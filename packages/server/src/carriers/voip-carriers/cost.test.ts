import { randomUUID } from 'node:crypto'
import { api } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { recordStatements } from '../../../test/statements.ts'

const recorded = recordStatements()
let t: TestApp
beforeEach(async () => {
  t = await testApp({}, undefined, recorded.tracing)
})
/**
 * How many statements some work runs, without those that find out who the caller is, once a second, and whether the
 * database is a cluster, once.
 */
const statementsOf = async (work: () => Promise<unknown>) =>
  (await recorded.during(work)).filter(
    (text) => !/switchroom_(?:sessions|session_ends|live)\b|wsrep_on/.test(text),
  ).length
afterEach(() => t.close())

async function addCarriers(carriers: number, gateways: number) {
  const rows = Array.from({ length: carriers }, () => ({
    voip_carrier_sid: randomUUID(),
    // in an order that is known
    name: `carrier ${gateways} ${randomUUID()}`,
    account_sid: t.sids.a1,
    service_provider_sid: t.sids.sp1,
  }))
  await t.db.insertInto('voip_carriers').values(rows).execute()
  await t.db
    .insertInto('sip_gateways')
    .values(
      rows.flatMap(({ voip_carrier_sid }) =>
        Array.from({ length: gateways }, (_, i) => ({
          sip_gateway_sid: randomUUID(),
          voip_carrier_sid,
          ipv4: `10.0.0.${i}`,
          inbound: 1 as const,
          outbound: 0 as const,
        })),
      ),
    )
    .execute()
}

async function cost(who: string, page: number, total: number) {
  t.ctx.memory.listings.forget()
  let gateways: number | null | undefined
  const queries = await statementsOf(async () => {
    const answer = await t.as(who)(api.voipCarriers.ofServiceProvider, {
      params: { service_provider_sid: t.sids.sp1 },
      query: { page, page_size: 25 },
    })
    expect(answer).toMatchObject({ total, page })
    gateways = answer.data[0]?.inbound_gateways
  })
  return { queries, gateways }
}

it.each(['admin', 'sp1', 'a1'])(
  'lists for %s with the same number of queries for any number of carriers',
  async (who) => {
    await addCarriers(1, 1)
    const few = await cost(who, 1, 1)
    await addCarriers(299, 5)
    expect(await cost(who, 1, 300)).toMatchObject({ queries: few.queries })
    expect(await cost(who, 12, 300)).toEqual({ queries: few.queries, gateways: 5 })
  },
)

it('finds what uses a carrier with a constant number of queries', async () => {
  const { sid } = await t.as('a1')(api.voipCarriers.create, { body: { name: 'used' } })
  const number = (i: number) => ({
    phone_number_sid: randomUUID(),
    number: `1508555${1000 + i}`,
    account_sid: t.sids.a1,
    voip_carrier_sid: sid,
    service_provider_sid: t.sids.sp1,
  })
  const refusal = (total: number) =>
    statementsOf(() =>
      expect(
        t.as('a1')(api.voipCarriers.remove, { params: { voip_carrier_sid: sid } }),
      ).rejects.toMatchObject({ body: { used_by: [{ kind: 'Phone numbers', total }] } }),
    )
  await t.db.insertInto('phone_numbers').values(number(0)).execute()
  const few = await refusal(1)
  const more = Array.from({ length: 18 }, (_, i) => number(i + 1))
  await t.db.insertInto('phone_numbers').values(more).execute()
  expect(await refusal(19)).toBe(few)
  const many = Array.from({ length: 181 }, (_, i) => number(i + 100))
  await t.db.insertInto('phone_numbers').values(many).execute()
  // the first by name, and how many there are
  expect(await refusal(200)).toBe(few + 1)
})
