import { randomUUID } from 'node:crypto'
import type { Call } from '@switchroom/contract'
import type { Selectable } from 'kysely'
import { lockRows } from '../../db/dialect.ts'
import { insertMany } from '../../db/insert-many.ts'
import type { Db, Tables } from '../../db/open.ts'
import {
  type Cause,
  callKey,
  causeOf,
  coarseCause,
  type FailureOwner,
  failureKey,
} from './cause.ts'
import { emptyContent, readContent, withCalls } from './content.ts'

type Row = Selectable<Tables['switchroom_failures']>
type Group = { key: string; owner: FailureOwner; cause: Cause; calls: Call[] }

/** Failures per account or provider. More of them are gathered without their prefixes and reasons. */
export const MAX_FAILURES = 500

/** Counts calls that are not counted yet. Call in a transaction that no other collector runs beside. */
export async function countCalls(tx: Db, calls: readonly Call[], now: number): Promise<number> {
  const failed = new Map(
    calls.flatMap((call) => {
      const cause = causeOf(call)
      return cause ? [[callKey(call), { call, cause }] as const] : []
    }),
  )
  if (failed.size === 0) return 0
  const counted = await tx
    .selectFrom('switchroom_failure_calls')
    .select('call_key')
    .where('call_key', 'in', [...failed.keys()])
    .execute()
  for (const { call_key } of counted) failed.delete(call_key)
  if (failed.size === 0) return 0
  await insertMany(
    tx,
    'switchroom_failure_calls',
    [...failed].map(([call_key, { call }]) => ({
      call_key,
      attempted_at: Date.parse(call.attempted_at),
    })),
  )
  const ownersOf = await knownOwners(
    tx,
    [...failed.values()].map((f) => f.call),
  )
  const groups = new Map<string, Group>()
  for (const { call, cause } of failed.values())
    for (const owner of ownersOf(call)) addTo(groups, owner, cause, [call])
  await save(tx, groups, now)
  return failed.size
}

function addTo(groups: Map<string, Group>, owner: FailureOwner, cause: Cause, calls: Call[]) {
  const key = failureKey(owner, cause)
  const group = groups.get(key)
  if (group) group.calls.push(...calls)
  else groups.set(key, { key, owner, cause, calls: [...calls] })
}

/**
 * Owners who see a call: its account, and the provider that the account has now. A call of an unknown account and
 * provider has none.
 */
async function knownOwners(tx: Db, calls: readonly Call[]) {
  const sids = (name: 'account_sid' | 'service_provider_sid') => [
    ...new Set(calls.flatMap((call) => call[name] ?? [])),
  ]
  const accounts = await tx
    .selectFrom('accounts')
    .select(['account_sid', 'service_provider_sid'])
    .where('account_sid', 'in', [...sids('account_sid'), ''])
    .execute()
  const providers = await tx
    .selectFrom('service_providers')
    .select('service_provider_sid')
    .where('service_provider_sid', 'in', [...sids('service_provider_sid'), ''])
    .execute()
  const providerOf = new Map(accounts.map((a) => [a.account_sid, a.service_provider_sid]))
  const isProvider = new Set(providers.map((p) => p.service_provider_sid))
  return ({ account_sid, service_provider_sid }: Call): FailureOwner[] => {
    const its = account_sid === null ? undefined : providerOf.get(account_sid)
    const named =
      service_provider_sid !== null && isProvider.has(service_provider_sid)
        ? service_provider_sid
        : undefined
    const provider = its ?? named
    return [
      ...(its === undefined ? [] : [{ account_sid, service_provider_sid: null }]),
      ...(provider ? [{ account_sid: null, service_provider_sid: provider }] : []),
    ]
  }
}

const stored = async (tx: Db, keys: string[]): Promise<Map<string, Row>> =>
  new Map(
    (
      await tx
        .selectFrom('switchroom_failures')
        .selectAll()
        .where('failure_key', 'in', [...keys, ''])
        .$call(lockRows(tx))
        .execute()
    ).map((row) => [row.failure_key, row]),
  )

async function save(tx: Db, all: Map<string, Group>, now: number) {
  const rows = await stored(tx, [...all.keys()])
  const fresh = [...all.values()].filter(({ key }) => !rows.has(key))
  const groups = new Map(all)
  for (const group of await beyondLimit(tx, fresh)) {
    groups.delete(group.key)
    addTo(groups, group.owner, coarseCause(group.cause), group.calls)
  }
  const coarse = [...groups.keys()].filter((key) => !all.has(key))
  for (const [key, row] of await stored(tx, coarse)) rows.set(key, row)
  for (const group of groups.values()) {
    const row = rows.get(group.key)
    if (row) await add(tx, row, group.calls, now)
    else await insert(tx, group, now)
  }
}

/** The new failures beyond the limit of their owners. */
async function beyondLimit(tx: Db, fresh: readonly Group[]): Promise<Group[]> {
  const counts = new Map<string, number>()
  const beyond: Group[] = []
  for (const group of fresh) {
    const { account_sid, service_provider_sid } = group.owner
    const owner = account_sid ?? service_provider_sid ?? ''
    const count = counts.get(owner) ?? (await countOf(tx, group.owner))
    if (count >= MAX_FAILURES) beyond.push(group)
    counts.set(owner, count + 1)
  }
  return beyond
}

const countOf = async (tx: Db, { account_sid, service_provider_sid }: FailureOwner) =>
  Number(
    (
      await tx
        .selectFrom('switchroom_failures')
        .select((eb) => eb.fn.countAll().as('n'))
        .where('account_sid', account_sid ? '=' : 'is', account_sid)
        .where('service_provider_sid', account_sid ? 'is' : '=', service_provider_sid)
        .executeTakeFirstOrThrow()
    ).n,
  )

/** Older calls raise no notice, as after an outage or at the first start. */
const NEWS_MS = 3_600_000
const newsAt = (last: string, now: number) => (Date.parse(last) > now - NEWS_MS ? now : 0)

const earliest = (times: string[]) => times.reduce((a, b) => (a < b ? a : b))
const latest = (times: string[]) => times.reduce((a, b) => (a > b ? a : b))

async function insert(tx: Db, { key, owner, cause, calls }: Group, now: number) {
  const times = calls.map((call) => call.attempted_at)
  await tx
    .insertInto('switchroom_failures')
    .values({
      ...owner,
      ...cause,
      failure_sid: randomUUID(),
      failure_key: key,
      state: 'open',
      muted_until: null,
      mended_at: null,
      assigned_to: null,
      calls: calls.length,
      first_at: earliest(times),
      last_at: latest(times),
      news_at: newsAt(latest(times), now),
      content: JSON.stringify(withCalls(emptyContent(), calls)),
    })
    .execute()
}

/** A resolved failure returns with a call that began after it was resolved. */
async function add(tx: Db, row: Row, calls: readonly Call[], now: number) {
  const times = calls.map((call) => call.attempted_at)
  const returns = row.state === 'mended' && latest(times) > (row.mended_at ?? '')
  await tx
    .updateTable('switchroom_failures')
    .set({
      calls: Number(row.calls) + calls.length,
      first_at: earliest([row.first_at, ...times]),
      last_at: latest([row.last_at, ...times]),
      content: JSON.stringify(withCalls(readContent(row.content), calls)),
      ...(returns && {
        state: 'returned' as const,
        news_at: newsAt(latest(times), now),
        rerouted: null,
      }),
    })
    .where('failure_sid', '=', row.failure_sid)
    .execute()
}
