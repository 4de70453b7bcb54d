import { api, COSTS, type Cost } from '@switchroom/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import type { Lane } from '../../http/fair-queue.ts'
import { ADMINISTRATORS, limitsOf } from '../../http/turns.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const turns = () => t.as('admin')(api.systemHealth.turns, {})
const turnsFor = async (work: Cost) => (await turns()).find((one) => one.work === work)!

/** Work of these lanes that runs or waits while `look` looks. */
async function during(cost: Cost, lanes: Lane[], look: () => Promise<void>) {
  const gate = Promise.withResolvers<void>()
  const work = lanes.map((lane) => t.ctx.memory.turns[cost](lane, () => gate.promise))
  try {
    await look()
  } finally {
    gate.resolve()
    await Promise.all(work)
  }
}

const nameOf = async (table: 'accounts' | 'service_providers', sid: string) =>
  (
    await t.db
      .selectFrom(table)
      .select('name')
      .where(table === 'accounts' ? 'account_sid' : 'service_provider_sid', '=', sid)
      .executeTakeFirstOrThrow()
  ).name

it('tells the limits of each kind of work while nothing waits', async () => {
  const all = await turns()
  expect(all.map(({ work }) => work)).toEqual(COSTS)
  for (const { work, ...one } of all) {
    const { atOnce, atOncePerLane, perLane } = limitsOf(work)
    expect(one).toEqual({
      running: 0,
      waiting: 0,
      limits: {
        at_once: atOncePerLane,
        waiting: perLane,
        at_once_in_all: Number.isFinite(atOnce) ? atOnce : null,
      },
      tenants: [],
      others: 0,
    })
  }
})

it('names who runs and who waits, the longest queue first', async () => {
  const { a1, a2, sp1 } = t.sids
  const lanes: Lane[] = [
    { network: '192.0.2.7/32' },
    { signedIn: ADMINISTRATORS },
    { signedIn: sp1 },
    ...[a1, a1, a1].map((signedIn) => ({ signedIn })),
    ...[a2, a2].map((signedIn) => ({ signedIn })),
  ]
  const account = (sid: string) => nameOf('accounts', sid)
  await during('exports', lanes, async () => {
    expect(await turnsFor('exports')).toMatchObject({
      running: 5,
      waiting: 3,
      tenants: [
        { kind: 'account', sid: a1, name: await account(a1), running: 1, waiting: 2 },
        { kind: 'account', sid: a2, name: await account(a2), running: 1, waiting: 1 },
        { kind: 'administrators', sid: null, name: null, running: 1, waiting: 0 },
        {
          kind: 'service_provider',
          sid: sp1,
          name: await nameOf('service_providers', sp1),
          running: 1,
          waiting: 0,
        },
        { kind: 'network', sid: null, name: '192.0.2.7/32', running: 1, waiting: 0 },
      ],
      others: 0,
    })
    expect(await turnsFor('searches')).toMatchObject({ running: 0, waiting: 0, tenants: [] })
  })
  expect(await turnsFor('exports')).toMatchObject({ running: 0, waiting: 0, tenants: [] })
})

it('still tells of an account that was deleted meanwhile', async () => {
  const sid = crypto.randomUUID()
  await during('lists', [{ signedIn: sid }], async () => {
    expect((await turnsFor('lists')).tenants).toEqual([
      { kind: 'account', sid, name: null, running: 1, waiting: 0 },
    ])
  })
})

it('lists the tenants with the most, counts the others, and adds all up', async () => {
  const lanes = Array.from({ length: 30 }, (_, i) => ({ network: `192.0.2.${i}/32` }))
  const busy = { network: '192.0.2.29/32' }
  await during('exports', [...lanes, busy, busy], async () => {
    const { tenants, ...all } = await turnsFor('exports')
    expect(all).toMatchObject({ running: 30, waiting: 2, others: 10 })
    expect(tenants).toHaveLength(20)
    expect(tenants[0]).toMatchObject({ name: busy.network, running: 1, waiting: 2 })
  })
})
