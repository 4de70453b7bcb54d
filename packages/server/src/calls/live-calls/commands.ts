import { type CallCommand, commandsIn, membersOf, type Relayed, t } from '@switchroom/contract'
import { type Actor, record } from '../../audit/record.ts'
import { transaction } from '../../db/transaction.ts'
import type { Context } from '../../http/context.ts'
import { Failure, found } from '../../http/failure.ts'
import { reasonOf, relay } from '../../http/feature-servers.ts'
import type { CallRecord } from '../../live/state.ts'

type ActorContext = Actor & { ctx: Context }
type Owner = { account_sid: string; service_provider_sid: string }
type Body = Record<string, unknown>

/** Audits a call command: which one, but not its content. */
export const auditCall = (
  { ctx, ...actor }: ActorContext,
  owner: Owner,
  entry: {
    action: 'create' | 'update' | 'delete'
    sid: string
    name: string
    before: object | null
    after: object | null
  },
) =>
  transaction(ctx.db, (tx) =>
    record(tx, actor, [
      {
        kind: 'call',
        account_sid: owner.account_sid,
        service_provider_sid: owner.service_provider_sid,
        ...entry,
      },
    ]),
  )

export const nameOf = (call: CallRecord) => `${call.from ?? '?'} to ${call.to ?? '?'}`

/** The status that a command sets, without its content. */
const auditedValue = (body: Body, command: CallCommand) =>
  command.endsWith('_status') && typeof body[command] === 'string' ? body[command] : 'asked'

/** Sends a command to the feature server that has the call. */
export async function sendCommand(
  actor: ActorContext,
  owner: Owner,
  call_sid: string,
  body: Body,
): Promise<Relayed> {
  const { ctx } = actor
  const call = found(await ctx.state.call(owner.account_sid, call_sid), t('call'))
  const { serviceUrl } = call
  if (!serviceUrl || !/^https?:\/\//.test(serviceUrl))
    throw new Failure('no_feature_server', t('no available feature servers at this time'))
  const { version } = ctx.config.feature_servers
  const url = `${serviceUrl.replace(/\/+$/, '')}/${version}/updateCall/${call_sid}`
  const answer = await relay(url, body)
  if (answer.status >= 300) return relayError(answer)
  const commands = commandsIn(body)
  await auditCall(actor, owner, {
    action: 'update',
    sid: call_sid,
    name: nameOf(call),
    before: { call_status: call.callStatus ?? null },
    after: Object.fromEntries(commands.map((c) => [c, auditedValue(body, c)])),
  })
  return answer
}

/**
 * Relays the feature server's status, except those that clients would take for their session's end or a
 * redirect.
 */
function relayError(answer: Relayed): Relayed {
  const { status, body } = answer
  const msg = reasonOf(answer)
  if (status < 400 || status === 401 || status === 407) throw new Failure('vendor_failed', msg)
  return { status, body: { ...membersOf(body), msg } }
}
