import {
  type api,
  LOG_GROUP_UNKNOWN,
  LOGS_BELOW_ACCOUNT,
  LOGS_NO_CALL,
  LOGS_UNAVAILABLE,
} from '@switchroom/contract'
import { Failure, invalidField } from '../http/failure.ts'
import type { Handlers } from '../http/serve.ts'
import { callsOwner } from './recent-calls/queries.ts'
import { timeOf, transcriptPolicyOf } from './words-kept.ts'

/** Logs start before a call's record begins and end after it. */
const AROUND_MS = 60_000

export const callLogRoutes: Handlers<typeof api.callLogs> = {
  async ofAccount({ params: { account_sid, call_sid }, query, scope, ctx }) {
    const owner = await callsOwner(ctx, scope, { account_sid })
    const { logs, calls } = ctx.stores
    if (!logs) throw new Failure('invalid', LOGS_UNAVAILABLE)
    // our AWS identity may read groups that callers must not see
    if (!ctx.config.log_groups.includes(query.logGroupName))
      throw invalidField('logGroupName', LOG_GROUP_UNKNOWN)
    const call = await calls.find(owner, { call_sid })
    if (!call) throw new Failure('not_found', LOGS_NO_CALL)
    const time = timeOf(call)
    const lines = await logs.find(
      {
        account_sid,
        call_sid,
        sip_callid: call.sip_callid,
        from: time.from - AROUND_MS,
        to: time.to + AROUND_MS,
      },
      query.logGroupName,
    )
    const policy = await transcriptPolicyOf(ctx.db, account_sid, time)
    if (policy === 'keep') return lines
    const { lineWithoutWords } = await import('../talk/redacted-json.ts')
    return lines.flatMap((line) => lineWithoutWords(line, policy) ?? [])
  },

  async ofServiceProvider({ params: { service_provider_sid }, scope, ctx }) {
    await callsOwner(ctx, scope, { service_provider_sid })
    throw new Failure('invalid', ctx.stores.logs ? LOGS_BELOW_ACCOUNT : LOGS_UNAVAILABLE)
  },
}
