import { t } from '@switchroom/contract'
import { sql } from 'kysely'
import type { Config } from '../config/config.ts'
import { type Db, kindOf } from '../db/open.ts'
import { lockIn } from '../db/transaction.ts'
import type { Context } from './context.ts'
import { Failure } from './failure.ts'
import type { Scope } from './scope.ts'

/** The platform's limits per account, enforced with APPLY_JAMBONZ_DB_LIMITS. */
const LIMITS = {
  applications: 50,
  voip_carriers: 10,
  sip_gateways: 150,
  phone_numbers: 200,
} as const

export type Limited = keyof typeof LIMITS

/** Throws when this many more would take an account over its limit. Other roles have none. */
export async function refuseOverLimit(
  { config }: Pick<Context, 'config'>,
  db: Db,
  scope: Scope,
  table: Limited,
  more = 1,
) {
  if (!config.apply_limits || scope.role !== 'account' || more <= 0) return
  const owned =
    table === 'sip_gateways'
      ? sql`voip_carrier_sid in (select voip_carrier_sid from voip_carriers where account_sid = ${scope.account_sid})`
      : sql`account_sid = ${scope.account_sid}`
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${sql.table(table)} where ${owned}`.execute(db)
  const count = Number(rows[0]?.n ?? 0)
  if (count + more > LIMITS[table])
    throw new Failure(
      'conflict',
      more === 1
        ? t('exceeded limits - you have created {count} instances of this resource', { count })
        : t(
            'An account can have at most {limit}. This one has {count}, and this would add {more}.',
            { limit: LIMITS[table], count, more },
          ),
    )
}

export type Quota = Exclude<keyof Config['quotas'], 'audit_entries'>

const QUOTAS: Record<Quota, string> = {
  phone_numbers: t('phone numbers'),
  applications: t('applications'),
  users: t('users'),
}

/**
 * Throws if accounts would exceed the operator's limits: `gaining` has the account of each row that is added or moved.
 * Call it in the writing transaction, before it writes the rows: others that add to the same account then wait for its
 * end.
 */
export async function refuseOverQuota(
  { config }: Pick<Context, 'config'>,
  db: Db,
  table: Quota,
  gaining: (string | null | undefined)[],
) {
  const most = config.quotas[table]
  if (most === 0) return
  const byAccount = Map.groupBy(
    gaining.filter((sid) => typeof sid === 'string').sort(),
    (sid) => sid,
  )
  for (const [account_sid, { length: more }] of byAccount) {
    if (db.isTransaction) await lockIn(db, `quota of ${table}: ${account_sid}`)
    const count = await countOf(db, table, account_sid)
    if (count + more > most)
      throw new Failure(
        'conflict',
        t(
          'Each account has a quota of {most} {what}. This one has {count}, and this would add {more}.',
          { most, what: QUOTAS[table], count, more },
        ),
      )
  }
}

const DAY_MS = 86_400_000

/**
 * Throws when an account has as many entries in the audit log of this day as it may, until the next day (UTC). Asked
 * before a change of its own people or keys: one request may go beyond.
 */
export async function refuseOverAuditQuota(
  { config, db }: Pick<Context, 'config' | 'db'>,
  scope: Scope,
  now = Date.now(),
) {
  const most = config.quotas.audit_entries
  if (most === 0 || scope.role !== 'account') return
  const midnight = now - (now % DAY_MS)
  // the last that it may have, by index: entries are numbered in their order
  const last = await db
    .selectFrom('switchroom_audit')
    .select('at')
    .where('seq', '=', (eb) =>
      eb
        .selectFrom('switchroom_audit as entry')
        .select('entry.seq')
        .where('entry.account_sid', '=', scope.account_sid)
        // calls of tools have a limit of their own, so that no agent uses up the limit of people's changes
        .where('entry.action', '!=', 'call')
        .orderBy('entry.seq', 'desc')
        .limit(1)
        .offset(most - 1),
    )
    .executeTakeFirst()
  if (!last || Date.parse(last.at) < midnight) return
  throw new Failure(
    'too_many',
    t(
      'This account has used its quota of {most} changes a day. It can change more after midnight UTC.',
      {
        most,
      },
    ),
    { retry_after: Math.ceil((midnight + DAY_MS - now) / 1_000) },
  )
}

/** Number of rows that an account has now. */
async function countOf(db: Db, table: Quota, account_sid: string) {
  const latest = kindOf(db) === 'mysql' ? sql` lock in share mode` : sql``
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${sql.table(table)}
    where account_sid = ${account_sid}${latest}`.execute(db)
  return Number(rows[0]?.n ?? 0)
}
