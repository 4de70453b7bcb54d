import { type CallCommand, commandsIn, type Relayed } from '@switchroom/contract'
import { record, type Who } from '../changes/record.ts'
import type { Context } from '../context.ts'
import { transaction } from '../db/transaction.ts'
import { Failure, found } from '../http/failure.ts'
import { ask, reasonOf } from '../http/feature-servers.ts'
import type { CallRecord } from '../live/state.ts'

type Asking = Who & { ctx: Context }
type Owner = { account_sid: string; service_provider_sid: string }
type Body = Record<string, unknown>

/** Notes what somebody did to a call: which command it was, not what was said or sent by it. */
export const note = (
  { ctx, ...who }: Asking,
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
    record(tx, who, [
      {
        kind: 'call',
        account_sid: owner.account_sid,
        service_provider_sid: owner.service_provider_sid,
        ...entry,
      },
    ]),
  )

export const nameOf = (call: CallRecord) => `${call.from ?? '?'} to ${call.to ?? '?'}`

/** States are told, contents are not. */
const told = (body: Body, command: CallCommand) =>
  command.endsWith('_status') && typeof body[command] === 'string' ? body[command] : 'asked'

/** Passes a command on to the server that has the call. */
export async function tell(
  who: Asking,
  owner: Owner,
  call_sid: string,
  body: Body,
): Promise<Relayed> {
  const { ctx } = who
  const call = found(await ctx.state.call(owner.account_sid, call_sid), 'call')
  const { serviceUrl } = call
  if (!serviceUrl || !/^https?:\/\//.test(serviceUrl))
    throw new Failure('no_feature_server', 'no available feature servers at this time')
  const { version } = ctx.config.feature_servers
  const url = `${serviceUrl.replace(/\/+$/, '')}/${version}/updateCall/${call_sid}`
  const answer = await ask(url, body)
  if (answer.status >= 300) return refused(answer)
  const commands = commandsIn(body)
  await note(who, owner, {
    action: 'update',
    sid: call_sid,
    name: nameOf(call),
    before: { call_status: call.callStatus ?? null },
    after: Object.fromEntries(commands.map((c) => [c, told(body, c)])),
  })
  return answer
}

/** With its own status, but for those that would mean the caller's session or a way elsewhere. */
function refused(answer: Relayed): Relayed {
  const { status, body } = answer
  const msg = reasonOf(answer)
  if (status < 400 || status === 401 || status === 407) throw new Failure('vendor_failed', msg)
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  return { status, body: { ...(isObject && body), msg } }
}
