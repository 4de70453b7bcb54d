import { randomUUID } from 'node:crypto'
import { type api, type ProgramRequest, t } from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import { type Actor, record } from '../../audit/record.ts'
import { transaction } from '../../db/transaction.ts'
import type { Context } from '../../http/context.ts'
import { Failure, found } from '../../http/failure.ts'
import { ownerIn } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import * as users from '../../users/queries.ts'
import { claimsFor } from '../second-factor/log-in.ts'
import { resourceOf, useOf } from './addresses.ts'
import { answerRequest, findRequest, isListed, providerOf, UNUSED_SECONDS } from './provider.ts'
import * as programs from './queries.ts'

/** A program's name, which it chooses itself, without characters that could hide text or reverse it. */
const plainName = (name: string) => name.replace(/\p{C}/gu, '').slice(0, 100)

const expired = () =>
  new Failure('not_found', t('This request has expired. Start again in the program.'))

/** The authorization request, as validated by the library. */
async function requestOf(
  ctx: Context,
  { request_id, browser }: { request_id: string; browser: string | undefined },
) {
  const provider = providerOf(ctx)
  const request = await findRequest(ctx, provider, request_id, browser)
  const { client_id, redirect_uri, resource, scope } = request?.params ?? {}
  const client = request && (await provider.Client.find(String(client_id)))
  const use = useOf(ctx.config, String(resource))
  // decided already
  if (!client || !use || request.result) throw expired()
  const { hostname } = new URL(String(redirect_uri))
  const shown: ProgramRequest = {
    name: plainName(client.clientName ?? client.clientId),
    client_id: client.clientId,
    is_verified: await isListed(ctx, client.clientId),
    returns_to: ['127.0.0.1', '[::1]', 'localhost'].includes(hostname) ? null : hostname,
    use,
    access: String(scope).split(' ').includes('write') ? 'write' : 'read',
  }
  return { provider, request, shown }
}

export const programRoutes: Handlers<typeof api.programs> = {
  list: ({ ctx }) => programs.list(ctx.db),

  async create({ body, ...actor }) {
    const sid = randomUUID()
    await audited(actor, { ...programs.auditSubject(sid), isNew: true }, (tx) =>
      programs.insert(tx, { program_sid: sid, ...body, is_self_registered: false }),
    )
    return { sid }
  },

  async remove({ params: { program_sid }, ...actor }) {
    await audited(actor, programs.auditSubject(program_sid), async (tx, before) => {
      found(before, t('program'))
      await programs.remove({ ...actor.ctx, db: tx }, program_sid)
    })
  },

  request: async ({ params: { request_id }, ctx, meta: { browser } }) =>
    (await requestOf(ctx, { request_id, browser })).shown,

  async decide({ params: { request_id }, body: { allow }, ...actor }) {
    const { ctx, meta } = actor
    const asked = await requestOf(ctx, { request_id, browser: meta.browser })
    const { provider, request, shown } = asked
    if (allow === null) return { url: await answerRequest(request, { error: 'access_denied' }) }
    const isReading = [allow, shown.access].includes('read') || actor.scope.view_only
    const access = isReading ? 'read' : 'write'
    const session_sid = await grant(actor, shown, access)
    const user_sid = actor.scope.user_sid!
    const made = new provider.Grant({
      jti: session_sid,
      accountId: user_sid,
      clientId: shown.client_id,
    } as ConstructorParameters<typeof provider.Grant>[0])
    made.addResourceScope(
      resourceOf(ctx.config, shown.use),
      access === 'write' ? 'read write' : 'read',
    )
    await made.save()
    const result = {
      login: { accountId: user_sid, remember: false },
      consent: { grantId: session_sid },
    }
    return { url: await answerRequest(request, result) }
  },
}

/** Opens a session of the program. Whatever ends the person's own session ends it too. */
async function grant(
  { ctx, scope, meta }: Actor & { ctx: Context },
  { client_id, name, use }: ProgramRequest,
  access: ProgramRequest['access'],
) {
  const { db, tokens } = ctx
  const session_sid = randomUUID()
  const user = found(await users.withSid(db, scope.user_sid!), t('user'))
  const claims = JSON.stringify(await claimsFor(db, user))
  const now = tokens.now()
  await transaction(db, async (tx) => {
    await tx
      .insertInto('switchroom_sessions')
      .values({
        session_sid,
        user_sid: user.user_sid,
        method: 'program',
        began_at: now,
        ip: meta.ip,
        user_agent: '',
        last_seen_at: now,
        last_ip: meta.ip,
        ends_at: now + UNUSED_SECONDS * 1000,
        ended_at: null,
        force_change: 0,
      })
      .execute()
    await tx
      .insertInto('switchroom_program_grants')
      .values({
        session_sid,
        client_id,
        name,
        program_use: use,
        access,
        claims,
      })
      .execute()
    await record(tx, { scope, meta }, [
      {
        ...{ action: 'create', kind: 'session', sid: session_sid, name },
        ...ownerIn(scope),
        before: null,
        after: { client_id, use, access },
      },
    ])
  })
  return session_sid
}
