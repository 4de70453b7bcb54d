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
import { StoreUnavailable } from '../../stores/kit/unavailable.ts'
import { covers, SEARCHED } from './kinds.ts'
import { ELSEWHERE, findNumber, named, numbers, type Row, similar } from './queries.ts'
import { errorsIn } from './typing-errors.ts'

/** Where a call is looked for of whose id only the beginning is known. */
const lately = () => spanOf({ days: 7 })

/** Milliseconds that names wait for a call. */
const CALL_WAIT = 1_000

const asFound = (
  kind: Found['kind'],
  is_similar: boolean,
  { name, grade: _, ...row }: Row,
): Found => ({
  ...row,
  kind,
  name: name ?? '',
  is_similar,
})

/** Names before what else matches, and kinds in their order. Who types digits looks for a number. */
function order(kind: Found['kind'], { grade }: Pick<Row, 'grade'>, q: string) {
  if (kind === 'phone_number' && searchText(q).digits) return -1
  return (grade < ELSEWHERE ? 0 : FOUND_KINDS.length) + FOUND_KINDS.indexOf(kind)
}

/** The call with this call_sid, trace id, or Call-ID of one of its legs, or the beginning of one, if its store answers soon. */
async function callBy(ctx: Context, scope: Scope, q: string): Promise<Found[]> {
  const { callById, isCallId } = await import('../../calls/recent-calls/legs.ts')
  const { callBeginning, mayBeginId } = await import('../../calls/recent-calls/other-ways.ts')
  const begins = mayBeginId(q)
  if (!(begins || isCallId(q)) || !covers(scope, 'calls')) return []
  const owner = await callsOwner(ctx, scope)
  const found = async () => {
    try {
      const call = isCallId(q) ? await callById(ctx, owner, q) : undefined
      return call ?? (begins ? await callBeginning(ctx, { ...owner, ...lately() }, q) : undefined)
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
      found_by: null,
      is_similar: false,
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
    const seen = SEARCHED.filter((searched) => covers(scope, searched.key))
    const [calls, phoneNumbers, ...groups] = await Promise.all([
      callBy(ctx, scope, query.q),
      covers(scope, 'phone_numbers') ? numbers(ctx, scope, query) : [],
      ...seen.map((searched) => named(ctx, scope, query, searched)),
    ])
    const found = [
      ...phoneNumbers.map((row) => ({ kind: 'phone_number' as const, row })),
      ...groups.flatMap((rows, i) => rows.map((row) => ({ kind: seen[i]!.kind, row }))),
    ].sort((a, b) => order(a.kind, a.row, query.q) - order(b.kind, b.row, query.q))
    const data = [...found.map(({ kind, row }) => asFound(kind, false, row)), ...calls]
    if (data.length > 0 || errorsIn(query.q) === 0) return { data }
    const near = await Promise.all(seen.map((searched) => similar(ctx, scope, query, searched)))
    return {
      data: near.flatMap((rows, i) => rows.map((row) => asFound(seen[i]!.kind, true, row))),
    }
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
