import {
  type api,
  FOUND_KINDS,
  type Found,
  type NumberAnswer,
  searchText,
  t,
} from '@switchroom/contract'
import { callsOwner, spanOf } from '../../calls/recent-calls/queries.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { StoreUnavailable } from '../../stores/unavailable.ts'
import { covers, SEARCHED } from './kinds.ts'
import { findNumber, named, numbers } from './queries.ts'

/** Milliseconds that names wait for a call. */
const CALL_WAIT = 1_000

const asFound =
  (kind: Found['kind']) =>
  ({ name, ...row }: Omit<Found, 'kind' | 'name'> & { name: string | null }): Found => ({
    ...row,
    kind,
    name: name ?? '',
  })

/** The call with this call_sid, trace id, or Call-ID of one of its legs, if its store answers soon. */
async function callBy(ctx: Context, scope: Scope, q: string): Promise<Found[]> {
  const { callById, isCallId } = await import('../../calls/recent-calls/legs.ts')
  if (!isCallId(q) || !covers(scope, 'calls')) return []
  const owner = await callsOwner(ctx, scope)
  const found = async () => {
    try {
      return await callById(ctx, owner, q)
    } catch (e) {
      if (e instanceof StoreUnavailable) return undefined
      throw e
    }
  }
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, CALL_WAIT, undefined)
  })
  const call = await Promise.race([found(), late]).finally(() => clearTimeout(timer))
  if (!call?.call_sid) return []
  return [
    {
      kind: 'call',
      sid: call.call_sid,
      name: `${call.from ?? t('Unknown')} → ${call.to ?? t('Unknown')}`,
      detail: call.attempted_at,
      service_provider_sid: call.service_provider_sid,
    },
  ]
}

async function callsOf(ctx: Context, scope: Scope, text: string): Promise<NumberAnswer['calls']> {
  const filter = { ...(await callsOwner(ctx, scope)), ...spanOf({ days: 1 }), text }
  const { calls } = ctx.stores
  const [all, answered, failed] = await Promise.all([
    calls.list(filter, { limit: 0, offset: 0 }),
    calls.list({ ...filter, answered: true }, { limit: 0, offset: 0 }),
    calls.list({ ...filter, answered: false }, { limit: 1, offset: 0 }),
  ])
  const [last] = failed.data
  return {
    total: all.total,
    answered: answered.total,
    last_failure: last
      ? {
          call_sid: last.call_sid,
          attempted_at: last.attempted_at,
          sip_status: last.sip_status,
          termination_reason: last.termination_reason,
        }
      : null,
  }
}

export const searchRoutes: Handlers<typeof api.search> = {
  async find({ query, scope, ctx }) {
    const groups = await Promise.all([
      covers(scope, 'phone_numbers')
        ? numbers(ctx, scope, query).then((rows) => rows.map(asFound('phone_number')))
        : [],
      ...SEARCHED.map(async (searched) =>
        covers(scope, searched.key)
          ? (await named(ctx, scope, query, searched)).map(asFound(searched.kind))
          : [],
      ),
      callBy(ctx, scope, query.q),
    ])
    const order = (found: Found) => FOUND_KINDS.indexOf(found.kind)
    return { data: groups.flat().sort((a, b) => order(a) - order(b)) }
  },

  async number({ query, scope, ctx }) {
    const digits = searchText(query.number).digits!
    const [phone_number, calls] = await Promise.all([
      covers(scope, 'phone_numbers') ? findNumber(ctx.db, scope, digits) : null,
      covers(scope, 'calls') ? callsOf(ctx, scope, digits) : null,
    ])
    return { digits, phone_number: phone_number ?? null, calls }
  },
}
