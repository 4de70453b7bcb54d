import { BY_HASH, type Day, type Filter, type Part, type Want, where } from './day.ts'
import { doubles, searchChunk, words } from './grams.ts'
import { CHUNK, hash } from './shard.ts'

type Take = (id: number, at: number) => void

/** Takes all calls that have the text and pass, in no order; their times only where asked for. */
function search(day: Day, want: Want, filter: Filter, part: Part, times: boolean, take: Take) {
  const text = want.text!
  const { shard } = day
  const whole = day.whole(part)
  const allowed = filter.series && flagged(filter.series)
  let indexed = 0
  for (const chunk of shard.all('select chunk, size from chunks order by chunk')) {
    const base = (chunk.chunk as number) * CHUNK + 1
    indexed = base + (chunk.size as number) - 1
    const found = searchChunk(shard, chunk, text)
    if (found.length === 0) continue
    const column = (name: string) =>
      shard.get(`select "${name}" as c from chunks where chunk = ?`, chunk.chunk!)!.c
    const series = words(column('series'))
    const at = times || !whole ? doubles(column('at')) : undefined
    const application = filter.application === undefined ? undefined : words(column('application'))
    const status = filter.sip_status === undefined ? undefined : words(column('sip_status'))
    for (const i of found) {
      const s = series[i]!
      if (s === 0 || (allowed && !allowed[s])) continue
      if (!whole && (at![i]! < part.from || at![i]! >= part.to)) continue
      if (application && application[i] !== filter.application) continue
      if (status && status[i] !== filter.sip_status) continue
      take(base + i, at ? at[i]! : 0)
    }
  }
  const { sql, values } = where(filter)
  // by the index of the id alone: the span would have the planner read the day
  const rest = `and +at >= ? and +at < ?${sql}`
  const bounds = [part.from, part.to, ...values]
  for (const row of shard.all(
    `select id, at from calls where id > ? and (instr("from", ?) > 0 or instr("to", ?) > 0) ${rest}`,
    indexed,
    text,
    text,
    ...bounds,
  ))
    take(row.id as number, row.at as number)
  // what the text has found in the numbers already is not taken twice
  const more = new Map<number, number>()
  for (const name of want.ids ?? [])
    for (const row of shard.all(
      `${BY_HASH(name)} and instr(coalesce("from", ''), ?) = 0 and instr(coalesce("to", ''), ?) = 0 ${rest}`,
      hash(text),
      text,
      text,
      text,
      ...bounds,
    ))
      more.set(row.id as number, row.at as number)
  for (const [id, at] of more) take(id, at)
}

function flagged(ids: number[]): Uint8Array {
  const flags = new Uint8Array(Math.max(...ids) + 1)
  for (const id of ids) flags[id] = 1
  return flags
}

/** How many calls have the text and pass. */
export function countText(day: Day, want: Want, filter: Filter, part: Part): number {
  const count = () => {
    let n = 0
    search(day, want, filter, part, false, () => void n++)
    return n
  }
  return day.whole(part)
    ? day.memo(`text ${JSON.stringify([want.text, want.ids])} ${filter.key}`, count)
    : count()
}

/** The ids of those, newest first: the first so many. */
export function newest(
  day: Day,
  want: Want,
  filter: Filter,
  part: Part,
  limit: number,
): { ids: number[]; total: number } {
  const [ids, at]: [number[], number[]] = [[], []]
  search(day, want, filter, part, true, (id, time) => {
    ids.push(id)
    at.push(time)
  })
  const total = ids.length
  let kept = ids.keys().toArray()
  if (total > limit) {
    const least = Float64Array.from(at).sort()[total - limit]!
    kept = kept.filter((i) => at[i]! >= least)
  }
  kept.sort((a, b) => at[b]! - at[a]! || ids[b]! - ids[a]!)
  return { ids: kept.slice(0, limit).map((i) => ids[i]!), total }
}
