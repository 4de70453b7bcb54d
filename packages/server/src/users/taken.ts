import type { Db } from '../db/open.ts'

/** True if another user has this name or this address. */
export async function isTaken(db: Db, name: string, email: string, but?: string) {
  const row = await db
    .selectFrom('users')
    .select('user_sid')
    .where((eb) => eb.or([eb('name', '=', name), eb('email', '=', email)]))
    .where('user_sid', '!=', but ?? '')
    .executeTakeFirst()
  return row !== undefined
}

/** The names and addresses among these that users have. */
export async function taken(db: Db, names: string[], emails: string[]) {
  const having = (column: 'name' | 'email', texts: string[]) =>
    db.selectFrom('users').select(`${column} as text`).where(column, 'in', texts).execute()
  const texts = (rows: { text: string }[]) => rows.map((r) => r.text)
  return {
    names: texts(await having('name', names)),
    emails: texts(await having('email', emails)),
  }
}

/** True if any user has this email or phone. */
export const isKnown = async (db: Db, column: 'email' | 'phone', value: string) =>
  (await db.selectFrom('users').select('user_sid').where(column, '=', value).executeTakeFirst()) !==
  undefined
