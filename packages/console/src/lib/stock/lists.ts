import type { Endpoint, Reply, Sent } from '@switchroom/contract'
import type { Ask } from './server'

type Row = Record<string, unknown>
type Paging = { page?: unknown; page_size?: unknown; filter?: unknown; sort?: unknown }
/** An item of a list. */
type Item<E extends Endpoint> = Reply<E> extends { data: (infer T)[] } ? T : never

const NAMES = ['name', 'number', 'username', 'email', 'tenant_fqdn', 'vendor', 'label']

/** A page of rows that came all at once: filtered, sorted and cut here. */
export function pageOf<T extends object>(all: readonly T[], asked: Paging) {
  let rows = [...all] as (T & Row)[]
  const text = typeof asked.filter === 'string' ? asked.filter.trim().toLowerCase() : ''
  if (text)
    rows = rows.filter((row) =>
      NAMES.some((n) =>
        String(row[n] ?? '')
          .toLowerCase()
          .includes(text),
      ),
    )
  if (typeof asked.sort === 'string') {
    const down = asked.sort.startsWith('-')
    const key = asked.sort.replace(/^-/, '')
    const order = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
    rows = rows.toSorted((a, b) => order.compare(String(a[key] ?? ''), String(b[key] ?? '')))
    if (down) rows.reverse()
  }
  const page = Number(asked.page) || 1
  const page_size = Number(asked.page_size) || 50
  const data: T[] = rows.slice((page - 1) * page_size, page * page_size)
  return { data, total: rows.length, page, page_size }
}

/** All of a list, whatever shape it comes in. */
export async function rowsOf<E extends Endpoint>(ask: Ask, e: E, sent: Sent<E>) {
  const reply = (await ask(e, sent)) as unknown
  return (Array.isArray(reply) ? reply : (reply as { data: unknown[] }).data) as Item<E>[]
}

/** For endpoints of which nothing else is known: a page where a page is asked for. */
export async function plain(e: Endpoint, sent: Sent<Endpoint>, ask: Ask): Promise<unknown> {
  const { query } = sent as { query?: Paging }
  if (!e.list || !query || !('page' in query)) return ask(e, sent)
  const reply = (await ask(e, sent)) as unknown
  return Array.isArray(reply) ? pageOf(reply as Row[], query) : reply
}

const LOOKED_UP_MS = 10_000
const known = new Map<string, { at: number; rows: Promise<unknown> }>()

/** After a write, and after somebody else has signed in. */
export const forgetLookUps = () => known.clear()

/** The same for the names in lists, asked for once and not for every row. */
export function lookUp<E extends Endpoint>(ask: Ask, e: E, sent: Sent<E>): Promise<Item<E>[]> {
  const key = `${e.path} ${JSON.stringify(sent)}`
  const found = known.get(key)
  if (found && Date.now() - found.at < LOOKED_UP_MS) return found.rows as Promise<Item<E>[]>
  const rows = rowsOf(ask, e, sent)
  known.set(key, { at: Date.now(), rows })
  rows.catch(() => known.delete(key))
  return rows
}

/** The names behind sids, of what the reader may see. A look-up that fails leaves the sids. */
export async function namesOf<E extends Endpoint>(ask: Ask, e: E, sent: Sent<E>, sid: string) {
  const rows = (await lookUp(ask, e, sent).catch(() => [])) as Row[]
  const names = new Map(rows.map((row) => [row[sid], String(row.name)]))
  return (wanted: string | null) => (wanted === null ? null : (names.get(wanted) ?? wanted))
}
