import type { Program } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { endProgramSessions } from '../../http/sessions.ts'

const rows = (db: Db) => db.selectFrom('switchroom_programs').selectAll()

const readable = (row: Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]) => ({
  ...row,
  redirect_uris: JSON.parse(row.redirect_uris) as string[],
  is_self_registered: row.is_self_registered === 1,
})

export const list = async (db: Db): Promise<Program[]> =>
  (await rows(db).orderBy('created_at', 'desc').execute()).map(readable)

export async function find(db: Db, program_sid: string): Promise<Program | undefined> {
  const row = await rows(db).where('program_sid', '=', program_sid).executeTakeFirst()
  return row && readable(row)
}

export const insert = (
  db: Db,
  { redirect_uris, is_self_registered, ...row }: Omit<Program, 'created_at'>,
) =>
  db
    .insertInto('switchroom_programs')
    .values({
      ...row,
      redirect_uris: JSON.stringify(redirect_uris),
      is_self_registered: is_self_registered ? 1 : 0,
      created_at: new Date().toISOString(),
    })
    .execute()

/** Deletes a program, and ends people's connections with it. Call it in a transaction. */
export async function remove(store: Pick<Context, 'db' | 'tokens'>, program_sid: string) {
  await endProgramSessions(store, (grants) => grants.where('client_id', '=', program_sid))
  await store.db.deleteFrom('switchroom_programs').where('program_sid', '=', program_sid).execute()
}

export const auditSubject = (program_sid: string) => ({
  kind: 'program' as const,
  sid: program_sid,
  read: (tx: Db) => find(tx, program_sid),
})
