type Row = Record<string, unknown>
type Asked = { page?: unknown; page_size?: unknown; filter?: unknown; sort?: unknown }

const NAMES = ['name', 'number', 'username', 'email', 'tenant_fqdn', 'vendor', 'label']

/**
 * A list asked for with `page` answers a page. A stock API server does not page all its lists and
 * answers everything: then it is filtered, sorted and cut here, and only here.
 */
export function asPage(reply: unknown, asked: Asked) {
  if (!Array.isArray(reply)) return reply
  let rows = reply as Row[]
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
  const data = rows.slice((page - 1) * page_size, page * page_size)
  return { data, total: rows.length, page, page_size }
}
