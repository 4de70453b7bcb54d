import { t } from '@switchroom/contract'
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
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
