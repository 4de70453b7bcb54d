import { randomUUID } from 'node:crypto'
import type { Db } from '../../packages/server/src/db/open.ts'

/** Contents of the bench's database, of the size of a large installation. */

export const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'
export const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
/** The sids of rows that are read one by one. */
export const CARRIER = randomUUID()
export const APPLICATION = randomUUID()
const APPLICATIONS = 10_000
const CARRIERS = 10_000
/** Numbers that the bench adds begin like this, no others do. */
export const ADDED = '99'
/** Name of applications that the bench adds. */
export const ADDED_NAME = 'added '
export const ADDED_HOOK = 'https://example.com/added'

export async function fill(db: Db, numbers: number) {
  const insert = async (table: string, count: number, row: (i: number) => object) => {
    for (let done = 0; done < count; done += 500)
      await db
        .insertInto(table as 'webhooks')
        .values(Array.from({ length: 500 }, (_, i) => row(done + i) as never))
        .execute()
  }
  const hooks = Array.from({ length: APPLICATIONS * 2 }, () => randomUUID())
  await insert('webhooks', hooks.length, (i) => ({
    webhook_sid: hooks[i],
    url: `https://example.com/hooks/${i}`,
    method: 'POST',
  }))
  const applications = [
    APPLICATION,
    ...Array.from({ length: APPLICATIONS - 1 }, () => randomUUID()),
  ]
  await insert('applications', APPLICATIONS, (i) => ({
    application_sid: applications[i],
    name: `application ${String(i).padStart(5, '0')}`,
    account_sid: ACCOUNT,
    call_hook_sid: hooks[2 * i],
    call_status_hook_sid: hooks[2 * i + 1],
  }))
  const carriers = [CARRIER, ...Array.from({ length: CARRIERS - 1 }, () => randomUUID())]
  // half of them are an account's, the others the provider's
  await insert('voip_carriers', CARRIERS, (i) => ({
    voip_carrier_sid: carriers[i],
    name: `carrier ${String(i).padStart(5, '0')}`,
    service_provider_sid: SP,
    account_sid: i % 2 ? ACCOUNT : null,
  }))
  await insert('sip_gateways', CARRIERS * 2, (i) => ({
    sip_gateway_sid: randomUUID(),
    voip_carrier_sid: carriers[i >> 1],
    ipv4: `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`,
    netmask: 32,
    port: 5060,
    inbound: i % 2,
    outbound: (i + 1) % 2,
  }))
  await insert('phone_numbers', numbers, (i) => ({
    phone_number_sid: randomUUID(),
    number: String(15_080_000_000 + i * 7),
    account_sid: ACCOUNT,
    voip_carrier_sid: carriers[i % CARRIERS],
    application_sid: i % 2 ? applications[i % APPLICATIONS] : null,
  }))
}

/** Deletes what the bench added, so that every round finds the same rows. */
export async function removeAdded(db: Db) {
  await db.deleteFrom('phone_numbers').where('number', 'like', `${ADDED}%`).execute()
  await db.deleteFrom('applications').where('name', 'like', `${ADDED_NAME}%`).execute()
  await db.deleteFrom('webhooks').where('url', '=', ADDED_HOOK).execute()
}
