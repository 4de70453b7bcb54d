import { api } from '@switchroom/contract'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { type Db, kindOf } from '../../db/open.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const inbound = { ipv4: '203.0.113.1', inbound: 1, outbound: 0 } as const
const view = (voip_carrier_sid: string) =>
  t.as('a1')(api.voipCarriers.view, { params: { voip_carrier_sid } })

/** The connection that waits for a row lock on the gateways. */
const blockedConnection = (db: Db): Promise<number> =>
  vi.waitFor(
    async () => {
      const { rows } = await sql<{ id: number }>`select id from information_schema.processlist
        where db = database() and id <> connection_id() and info like 'update %sip_gateways%'`.execute(
        db,
      )
      if (!rows[0]) throw new Error('Nobody waits')
      return Number(rows[0].id)
    },
    { timeout: 60_000, interval: 25 },
  )

/** Runs a save that is cut off after the carrier's own row is written and before its gateways are. */
async function interrupt(save: () => Promise<unknown>) {
  if (kindOf(t.db) === 'sqlite') {
    await sql`create trigger cut before update on sip_gateways begin select raise(abort, 'cut'); end`.execute(
      t.db,
    )
    await expect(save()).rejects.toMatchObject({ status: 500 })
    await sql`drop trigger cut`.execute(t.db)
    return
  }
  await t.db.connection().execute(async (other) => {
    await sql`start transaction`.execute(other)
    await sql`select * from sip_gateways for update`.execute(other)
    const saving = expect(save()).rejects.toMatchObject({ status: 503 })
    await sql`kill ${sql.lit(await blockedConnection(other))}`.execute(other)
    await saving
    await sql`rollback`.execute(other)
  })
}

it('is unchanged when the connection is cut during a save, and can be saved again', async () => {
  const { sid } = await t.as('a1')(api.voipCarriers.create, {
    body: { name: 'old', sip_gateways: [inbound], smpp_gateways: [{ ipv4: 'smpp.example.com' }] },
  })
  const before = await view(sid)
  const [gateway] = before.sip_gateways
  const save = () =>
    t.as('a1')(api.voipCarriers.update, {
      params: { voip_carrier_sid: sid },
      body: {
        name: 'new',
        sip_gateways: [
          { ...inbound, ipv4: '203.0.113.2', sip_gateway_sid: gateway!.sip_gateway_sid },
          { ...inbound, ipv4: '203.0.113.3' },
        ],
        smpp_gateways: [],
      },
    })
  await interrupt(save)
  expect(await view(sid)).toEqual(before)
  await save()
  expect(await view(sid)).toMatchObject({
    name: 'new',
    sip_gateways: [{ ipv4: '203.0.113.2' }, { ipv4: '203.0.113.3' }],
    smpp_gateways: [],
  })
})
