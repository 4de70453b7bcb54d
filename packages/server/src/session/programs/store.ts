import type { Adapter, AdapterPayload } from 'oidc-provider'
import { errors } from 'oidc-provider'
import { skipExisting } from '../../db/dialect.ts'
import type { Context } from '../../http/context.ts'
import { programTokenDigest } from '../../http/program-token.ts'
import { endProgramSessions } from '../../http/sessions.ts'
import { CLI } from './addresses.ts'
import * as programs from './queries.ts'

type Ctx = Pick<Context, 'db' | 'box' | 'tokens'>

/**
 * Stores the library's data in the database, for all processes: under a digest, sealed, and without the key it is found
 * by. A grant's id is its session's, and nothing of an ended session is found.
 */
export const storeFor = (ctx: Ctx) => (model: string) =>
  model === 'Client' ? clients(ctx) : model === 'Session' ? NOTHING : artifacts(ctx, model)

const none = async () => undefined
/** Storage of the library's own log-ins, which there are none of: the person confirms each request. */
const NOTHING: Adapter = {
  find: none,
  findByUid: none,
  findByUserCode: none,
  upsert: none,
  consume: none,
  destroy: none,
  revokeByGrantId: none,
}

const PUBLIC = {
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
} as const

function clients({ db }: Ctx): Adapter {
  return {
    ...NOTHING,
    async find(id) {
      const program = id === CLI.program_sid ? CLI : await programs.find(db, id)
      if (!program) return undefined
      const { program_sid, name, redirect_uris } = program
      return { ...PUBLIC, client_id: program_sid, client_name: name, redirect_uris }
    },
    async upsert(id, { client_name, redirect_uris }) {
      await programs.insert(db, {
        program_sid: id,
        name: (client_name ?? '').trim().slice(0, 100) || id,
        redirect_uris: [...redirect_uris!],
        is_self_registered: true,
      })
    },
  }
}

function artifacts(ctx: Ctx, model: string): Adapter {
  const { db, box } = ctx
  const { now } = ctx.tokens
  const digest = (id: string) => programTokenDigest(model, id)
  return {
    ...NOTHING,
    async upsert(id, { jti: _, ...payload }, expiresIn = 0) {
      const session_sid = model === 'Grant' ? id : (payload.grantId ?? null)
      const expires_at = now() + expiresIn * 1000
      const row = { session_sid, expires_at, sealed: box.seal(JSON.stringify(payload)) }
      const token_digest = digest(id)
      await db
        .insertInto('switchroom_program_tokens')
        .values({ token_digest, consumed_at: null, ...row })
        .$call(skipExisting(db))
        .execute()
      await db
        .updateTable('switchroom_program_tokens')
        .set(row)
        .where('token_digest', '=', token_digest)
        .execute()
      if (model === 'RefreshToken' && session_sid)
        await db
          .updateTable('switchroom_sessions')
          .set({ ends_at: expires_at })
          .where('session_sid', '=', session_sid)
          .where('ended_at', 'is', null)
          .execute()
    },
    async find(id) {
      const row = await db
        .selectFrom('switchroom_program_tokens as t')
        .leftJoin('switchroom_sessions as s', 's.session_sid', 't.session_sid')
        .select(['t.sealed', 't.consumed_at'])
        .where('t.token_digest', '=', digest(id))
        .where('t.expires_at', '>', now())
        .where((eb) => eb.or([eb('t.session_sid', 'is', null), eb('s.ended_at', 'is', null)]))
        .executeTakeFirst()
      const opened = row && box.open(row.sealed)
      if (!opened) return undefined
      const payload: AdapterPayload = JSON.parse(opened)
      return { ...payload, jti: id, ...(row.consumed_at && { consumed: true }) }
    },
    async consume(id) {
      const { numUpdatedRows } = await db
        .updateTable('switchroom_program_tokens')
        .set({ consumed_at: now() })
        .where('token_digest', '=', digest(id))
        .where('consumed_at', 'is', null)
        .executeTakeFirst()
      // another request has come first, here or in another process
      if (numUpdatedRows === 0n) throw new errors.InvalidGrant('already used')
    },
    async destroy(id) {
      await db
        .deleteFrom('switchroom_program_tokens')
        .where('token_digest', '=', digest(id))
        .execute()
    },
    async revokeByGrantId(session_sid) {
      await endProgramSessions(ctx, (grants) => grants.where('session_sid', '=', session_sid))
    },
  }
}
