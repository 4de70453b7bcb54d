import {
  DEFAULT_PASSWORD_RULES,
  INVALID_PASSWORD,
  type PasswordSettings,
  passwordProblems,
  t,
} from '@switchroom/contract'
import type { Updateable } from 'kysely'
import { definedFields, isEmpty } from '../../db/defined-fields.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { invalidField } from '../../http/failure.ts'
import { whyGuessable } from '../../secrets/guessable-password.ts'

export const systemInformation = (db: Db) =>
  db.selectFrom('system_information').selectAll().executeTakeFirst()

/** Upserts the table's only row, which has no key, and resolves to it. Undefined fields keep their values. */
export async function saveSystemInformation(
  db: Db,
  change: Updateable<Tables['system_information']>,
) {
  const row = definedFields(change)
  // MariaDB has no insert without columns
  if (!(await systemInformation(db)))
    await db
      .insertInto('system_information')
      .values({ domain_name: null, ...row })
      .execute()
  else if (!isEmpty(row)) await db.updateTable('system_information').set(row).execute()
  return db.selectFrom('system_information').selectAll().executeTakeFirstOrThrow()
}

/** Rules that the platform stores. */
export type Rules = Omit<PasswordSettings, 'weak_passwords'>

export async function passwordRules(db: Db): Promise<Rules> {
  const stored = await db.selectFrom('password_settings').selectAll().executeTakeFirst()
  return stored ?? DEFAULT_PASSWORD_RULES
}

export async function savePasswordSettings(db: Db, change: Partial<Rules>) {
  const row = definedFields(change)
  if (isEmpty(row)) return
  const stored = await db.selectFrom('password_settings').selectAll().executeTakeFirst()
  if (!stored) await db.insertInto('password_settings').values(row).execute()
  else await db.updateTable('password_settings').set(row).execute()
}

type PasswordOwner = { name?: string; email: string }

/** Why a password may not be set: every rule of the settings that it breaks, or that it is easy to guess. */
export async function whyRefused(
  { config }: Pick<Context, 'config'>,
  password: string,
  rules: Rules,
  owner: PasswordOwner,
): Promise<string | undefined> {
  const problems = passwordProblems(password, rules)
  if (problems.length > 0)
    return t('{INVALID_PASSWORD} Password must: {unmet}', {
      INVALID_PASSWORD,
      unmet: problems.join(', '),
    })
  return config.weak_passwords === 'refuse'
    ? whyGuessable(password, Object.values(owner))
    : undefined
}

/** Throws 400 on the field for a password that may not be set. */
export async function requireGoodPassword(
  ctx: Pick<Context, 'db' | 'config'>,
  field: string,
  password: string,
  owner: PasswordOwner,
) {
  const reason = await whyRefused(ctx, password, await passwordRules(ctx.db), owner)
  if (reason) throw invalidField(field, reason)
}
