import type { Endpoint } from './endpoints'
import type { Column } from './table-rows'

/** How a person wants to see a list. Columns are named by their header. */
export type ListView = {
  /** Those that are shown, in this order. Others stay where they are by default. */
  order?: string[]
  hidden?: string[]
  /** In pixels. */
  widths?: Record<string, number>
  compact?: true
}
export const MIN_WIDTH = 48
export const MAX_WIDTH = 1_200

/** The endpoint that exports a list, and what to send it for the list's filters. */
export type FileExport = {
  endpoint: Endpoint & { file: string }
  sent: { params?: object | undefined; query: object }
}

/** All columns in the view's order. The first has the row's link, and stays. */
export function ordered<C extends { header: string }>(columns: readonly C[], { order }: ListView) {
  const [first, ...others] = columns
  if (!first) return []
  if (!order) return [...columns]
  const named = order.flatMap((name) => others.find((c) => c.header === name) ?? [])
  // a column that is new since then comes after the one it follows by default
  const all = [...named]
  for (const [i, c] of others.entries())
    if (!all.includes(c)) all.splice(i === 0 ? 0 : all.indexOf(others[i - 1]!) + 1, 0, c)
  return [first, ...all]
}

/** The columns that a view shows. */
export const shownColumns = <C extends { header: string }>(columns: readonly C[], view: ListView) =>
  ordered(columns, view).filter((c, i) => i === 0 || !view.hidden?.includes(c.header))

/** The columns that a view shows, as wide as it says. */
export function viewColumns<T>(columns: readonly Column<T>[], view: ListView): Column<T>[] {
  const { widths = {} } = view
  return shownColumns(columns, view).map((c) => {
    const width = widths[c.header]
    return width ? { ...c, width, isFixed: true as const } : c
  })
}

/** A view with one column moved among those after the first. */
export function moved(
  columns: readonly { header: string }[],
  view: ListView,
  name: string,
  by: number,
) {
  const names = ordered(columns, view)
    .map(({ header }) => header)
    .slice(1)
  const from = names.indexOf(name)
  const to = from + by
  if (from === -1 || to < 0 || to >= names.length) return view
  names.splice(to, 0, ...names.splice(from, 1))
  return { ...view, order: names }
}

export function resized(view: ListView, name: string, width: number | undefined): ListView {
  const { [name]: _, ...others } = view.widths ?? {}
  const within = width && Math.round(Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, width)))
  const widths = within ? { ...others, [name]: within } : others
  const { widths: __, ...rest } = view
  return Object.keys(widths).length > 0 ? { ...rest, widths } : rest
}

export function toggledColumn(view: ListView, name: string, on: boolean): ListView {
  const { hidden = [], ...rest } = view
  const next = on ? hidden.filter((n) => n !== name) : [...hidden, name]
  return next.length > 0 ? { ...rest, hidden: next } : rest
}
