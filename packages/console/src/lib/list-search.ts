import type { Unused } from '@switchroom/contract'
import { PAGE_SIZE, PAGE_SIZES } from './page-sizes'

/** URL members of every list. A room adds its own. */
export type ListSearch = {
  page?: number
  page_size?: number
  filter?: string
  sort?: string
}
/** The same of a list that can be filtered by account. */
export type AccountSearch = ListSearch & { account_sid?: string }
/** The same of a list that can be filtered by how long its rows had no call. */
export type UsedSearch = AccountSearch & { unused?: Unused }

export type Raw = Record<string, unknown>

/** An address's search part, as plain text instead of JSON: people read and edit it. */
export const parseSearch = (search: string): Raw => Object.fromEntries(new URLSearchParams(search))

export const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined)

/** The value if it is one of the options, else undefined. */
export const oneOf = <const T extends string>(options: readonly T[], value: unknown) =>
  options.find((o) => o === value)

/** Parses a list's URL. Defaults are left out, to keep URLs short. */
export function listSearch(raw: Raw): ListSearch {
  const page = Math.trunc(Number(raw.page))
  const size = Number(raw.page_size)
  return defined({
    page: page > 1 && page < 1e7 ? page : undefined,
    page_size: PAGE_SIZES.find((s) => s === size && s !== PAGE_SIZE),
    filter: text(raw.filter)?.slice(0, 100),
    sort: text(raw.sort),
  })
}

/** The same for a list that can be filtered by account. */
export const accountSearch = (raw: Raw): AccountSearch => ({
  ...listSearch(raw),
  ...defined({ account_sid: text(raw.account_sid) }),
})

/** The same for a list that can be filtered by how long its rows had no call. */
export const usedSearch = (raw: Raw): UsedSearch => ({
  ...accountSearch(raw),
  ...defined({ unused: oneOf(['7d', '30d', '90d', 'ever'], raw.unused) }),
})

/** Drops undefined members, which would appear as empty in the URL. */
export const defined = <T extends object>(o: T) =>
  // only undefined members are gone
  Object.fromEntries(Object.entries(o).filter(([, v]) => v !== undefined)) as Defined<T>

type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** The URL's members as the query of a list endpoint, which always has a page. */
export const paged = <T extends ListSearch>(search: T) => ({
  ...search,
  page: search.page ?? 1,
  page_size: search.page_size ?? PAGE_SIZE,
})

/** Filters in a list's URL. */
export function filtersIn<T extends ListSearch>(search: T) {
  const { page: _, page_size: __, sort: ___, ...filters } = search
  return filters
}
