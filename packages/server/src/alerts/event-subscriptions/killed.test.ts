import { spawn } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { databaseOfKilled } from '../../../test/killed.ts'
import { type Db, openDb } from '../../db/open.ts'
import { secretBox } from '../../secrets/secret-box.ts'

const EVENTS = 60
const THINGS = 6

let receiver: Server
/** Deliveries in the order of arrival: thing and number within it. */
let got: { id: string; thing: string; number: number }[]
beforeEach(async () => {
  got = []
  receiver = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const { id, data } = JSON.parse(Buffer.concat(parts).toString())
    got.push({ id, thing: data.sid, number: Number(data.name) })
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
})
const opened = databaseOfKilled('killed_deliveries_test', (db) => prepareDeliveries(db))
afterEach(() => {
  receiver.close()
  receiver.closeAllConnections()
})

/** Events of a few things, all of them due. */
async function prepareDeliveries(db: Db) {
  const owner = { account_sid: null, service_provider_sid: 'sp' }
  const { port } = receiver.address() as AddressInfo
  await db
    .insertInto('switchroom_event_subscriptions')
    .values({
      ...{ event_subscription_sid: 'webhook', ...owner, name: 'x', kinds: '[]', is_active: 1 },
      url: `http://127.0.0.1:${port}/`,
      sealed_secret: secretBox({ secret: 'test-secret', legacy: false }).seal('whsec_AAAA'),
      ...{ sealed_previous: null, previous_until: null, since: 0, audit_seq: 0, created_by: null },
      ...{ last_tried_at: null, last_error: null, failing_since: null, failures: 0 },
      ...{ paused_until: 0, disabled_reason: null, holder: '', leased_until: 0 },
    })
    .execute()
  for (let seq = 1; seq <= EVENTS; seq++) {
    const thing = `thing-${seq % THINGS}`
    const data = { action: 'update', kind: 'voip_carrier', sid: thing, name: String(seq) }
    await db
      .insertInto('switchroom_events')
      .values({
        ...{ seq, kind: 'carrier.changed', thing, ...owner, added_at: 1 },
        ...{ happened_at: '2026-01-31T12:00:00.000Z', data: JSON.stringify(data) },
      })
      .execute()
    await db
      .insertInto('switchroom_event_deliveries')
      .values({
        ...{ event_delivery_sid: String(seq), event_subscription_sid: 'webhook', seq, thing },
        ...{ state: 'waiting', attempts: 0, next_at: 1, added_at: 1, tried_at: null },
        ...{ status: null, error: null, duration_ms: null },
      })
      .execute()
  }
}

const at = (path: string) => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)))
/** Delivers due events. Begins after the lease of an earlier process, which was killed, has ended. */
const script = (round: number) => `
  import { openDb } from ${at('../../db/open.ts')}
  import { outbound } from ${at('../../outbound/outbound.ts')}
  import { secretBox } from ${at('../../secrets/secret-box.ts')}
  import { deliverEvents } from ${at('./deliver.ts')}
  const log = { debug() {}, warn() {}, error() {} }
  const ctx = {
    db: openDb(${JSON.stringify(opened.config)}),
    outbound: outbound(['127.0.0.0/8']),
    box: secretBox({ secret: 'test-secret', legacy: false }),
    health: { count() {} },
    log,
  }
  while ((await deliverEvents(ctx, Date.now() + ${round} * 200_000)) > 0);
  await ctx.db.destroy()`

const deliver = (round: number) =>
  spawn(process.execPath, ['--input-type=module', '-e', script(round)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })

it('loses no delivery, and keeps the order of each thing', { timeout: 120_000 }, async () => {
  for (const [round, most] of [7, 23, 41].entries()) {
    const child = deliver(round)
    const ended = new Promise((resolve) => child.once('exit', resolve))
    await expect.poll(() => got.length, { timeout: 60_000, interval: 1 }).toBeGreaterThan(most)
    child.kill('SIGKILL')
    await ended
  }
  const last = deliver(4)
  expect(await new Promise((resolve) => last.once('exit', resolve))).toBe(0)
  expect(new Set(got.map(({ id }) => id)).size).toBe(EVENTS)
  for (const numbers of Map.groupBy(got, ({ thing }) => thing).values()) {
    // repeats come before the next one
    const order = numbers.map(({ number }) => number)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
  }
  const db = openDb(opened.config)
  const left = await db
    .selectFrom('switchroom_event_deliveries')
    .select('seq')
    .where('state', '!=', 'delivered')
    .execute()
  expect(left).toEqual([])
  await db.destroy()
})
