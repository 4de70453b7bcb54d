import type { Endpoint, Reply, Sent } from '../endpoints'
import { isRecord } from '../records'
import type { Item, Send } from './server'

type Row = Record<string, unknown>
type Paging = {
  page?: unknown
  page_size?: unknown
  filter?: unknown
  name?: unknown
  sort?: unknown
}

const NAMES = ['name', 'number', 'username', 'email', 'tenant_fqdn', 'vendor', 'label']

/** Filters, sorts and pages rows of an unpaged response. */
export function pageOf<T extends Row>(all: readonly T[], paging: Paging) {
  let rows = [...all]
  const { filter = paging.name } = paging
  const text = typeof filter === 'string' ? filter.trim().toLowerCase() : ''
  if (text)
    rows = rows.filter((row) =>
      NAMES.some((n) =>
        String(row[n] ?? '')
          .toLowerCase()
          .includes(text),
      ),
    )
  if (typeof paging.sort === 'string') {
    const down = paging.sort.startsWith('-')
    const key = paging.sort.replace(/^-/, '')
    const order = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
    rows = rows.toSorted((a, b) => order.compare(String(a[key] ?? ''), String(b[key] ?? '')))
    if (down) rows.reverse()
  }
  const page = Number(paging.page) || 1
  const page_size = Number(paging.page_size) || 50
  const data: T[] = rows.slice((page - 1) * page_size, page * page_size)
  return { data, total: rows.length, page, page_size }
}

/** All rows of a list, whether the response is a page or an array. */
export async function rowsOf<E extends Endpoint>(send: Send, e: E, sent: Sent<E>) {
  const reply: unknown = await send(e, sent)
  // either shape holds this endpoint's rows
  return (isRecord(reply) ? reply.data : reply) as Item<E>[]
}

/** A page, or all rows where this server does not page. */
export const pageOrRows = <E extends Endpoint>(
  send: Send,
  e: E,
  sent: Sent<E>,
): Promise<Reply<E> | Item<E>[]> => send(e, sent)

/** For endpoints without a handler: pages a list that the server returns whole. */
export async function sendPaged<E extends Endpoint>(
  e: E,
  sent: Sent<E>,
  send: Send,
): Promise<unknown> {
  const query = 'query' in sent ? sent.query : undefined
  const reply: unknown = await send(e, sent)
  return e.list && isRecord(query) && 'page' in query && Array.isArray(reply)
    ? pageOf(reply.filter(isRecord), query)
    : reply
}

const CACHE_MS = 10_000
const cache = new Map<string, { at: number; rows: Promise<unknown> }>()

/** After a write, and when another user logs in. */
export const clearLookUps = () => cache.clear()

/** Cached rows, for the names in lists. */
export function lookUp<E extends Endpoint>(send: Send, e: E, sent: Sent<E>): Promise<Item<E>[]> {
  const key = `${e.path} ${JSON.stringify(sent)}`
  const hit = cache.get(key)
  // the key names the endpoint, so these are its rows
  if (hit && Date.now() - hit.at < CACHE_MS) return hit.rows as Promise<Item<E>[]>
  const rows = rowsOf(send, e, sent)
  cache.set(key, { at: Date.now(), rows })
  rows.catch(() => cache.delete(key))
  return rows
}

/** A function from sid to name. Falls back to the sid if the list cannot be read. */
export async function namesOf<E extends Endpoint>(send: Send, e: E, sent: Sent<E>, sid: string) {
  const rows: readonly unknown[] = await lookUp(send, e, sent).catch(() => [])
  const names = new Map(rows.filter(isRecord).map((row) => [row[sid], String(row.name)]))
  return (wanted: string | null) => (wanted === null ? null : (names.get(wanted) ?? wanted))
}
