import { hash } from 'node:crypto'
import { membersOf, type TokenClaims } from '@switchroom/contract'
import type { Context } from './context.ts'
import type { KnownProgram } from './known-callers.ts'
import { findSession } from './open-session.ts'

/** Digest stored in place of a program's code or token. Each has 256 random bits, which need no slow hash. */
export const programTokenDigest = (model: string, token: string) =>
  hash('sha256', `${model}:${token}`, 'hex')

/** API keys are shorter, and session tokens have dots. */
export const isProgramToken = (token: string) => /^[\w-]{43}$/.test(token)

/** The session and program of an access token. Does not check who presents it. */
export async function findProgramToken(
  ctx: Context,
  token: string,
  ip: string,
): Promise<KnownProgram | undefined> {
  const row = await ctx.db
    .selectFrom('switchroom_program_tokens as t')
    .innerJoin('switchroom_program_grants as g', 'g.session_sid', 't.session_sid')
    .select(['t.sealed', 't.expires_at', 'g.session_sid', 'g.client_id', 'g.name'])
    .select(['g.program_use', 'g.claims'])
    .where('t.token_digest', '=', programTokenDigest('AccessToken', token))
    .executeTakeFirst()
  if (!row) return undefined
  const { scope } = membersOf(JSON.parse(ctx.box.open(row.sealed) ?? '{}'))
  const claims: TokenClaims = { ...JSON.parse(row.claims), jti: row.session_sid }
  const session = await findSession(ctx, claims, token, ip, true)
  if (!session) return undefined
  return {
    claims,
    session: { ...session, hasFactor: false },
    program: { client_id: row.client_id, name: row.name },
    // a refreshed token may have less than was granted
    access: String(scope).split(' ').includes('write') ? 'write' : 'read',
    use: row.program_use,
    expires_at: Number(row.expires_at),
  }
}
