import type { Call } from '@switchroom/contract'
import { send } from '../../lib/api'
import { endpointsFor, filtersOf, idOf, type Search } from '../search'

const COUNT = 25
const MINUTE = 60_000
/** After a call there may be very many: shorter times are looked through first. */
const SPANS_MS = [10 * MINUTE, 24 * 60 * MINUTE, undefined]

type Ends = { start?: string; end?: string }
type Asked = { provider: string; search: Search }

const ask = ({ provider, search }: Asked, ends: Ends, page = 1) => {
  const { endpoints, params } = endpointsFor(provider, search)
  const { start: _, end: __, ...filters } = search
  const query = { ...filtersOf({ ...filters, ...ends }), page, count: COUNT }
  return send(endpoints.list, { params, query })
}

/** The calls before and after one by their times, as a list of all times with these filters has them, newest first. */
export async function around(
  asked: Asked,
  call: Pick<Call, 'call_sid' | 'sip_callid' | 'attempted_at'>,
) {
  const id = idOf(call)
  const at = Date.parse(call.attempted_at)
  const time = (ms: number) => new Date(ms).toISOString()
  const place = (rows: Call[]) => rows.findIndex((row) => idOf(row) === id)

  const { data: older } = await ask(asked, { end: time(at) })
  // one that the filters leave out is before all of them
  const next = older[place(older) + 1]

  let previous: Call | undefined
  for (const ms of SPANS_MS) {
    const ends = { start: time(at), ...(ms && { end: time(at + ms) }) }
    const first = await ask(asked, ends)
    const last = Math.ceil(first.total / COUNT)
    const rows = last > 1 ? (await ask(asked, ends, last)).data : first.data
    const mine = place(rows)
    previous = mine < 0 ? rows.at(-1) : rows[mine - 1]
    if (mine === 0 && last > 1) previous = (await ask(asked, ends, last - 1)).data.at(-1)
    if (previous) break
  }
  return { previous, next }
}
