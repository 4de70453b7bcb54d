import { PAGE_SIZE, PAGE_SIZES } from './page-sizes'

/** What every list keeps in its URL. A room adds its own members. */
export type ListSearch = {
  page?: number
  page_size?: number
  filter?: string
  sort?: string
}
type Raw = Record<string, unknown>

export const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined)

/** Only one of these, or nothing: a URL may say anything. */
export const oneOf = <const T extends string>(options: readonly T[], value: unknown) =>
  options.find((o) => o === value)

/** Reads a list's URL. What is as usual is left out, so the plain address stays plain. */
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

/** Without the members that are undefined, so that they do not stand empty in the URL. */
export const defined = <T extends object>(o: T) =>
  // the members that are left, each as it was
  Object.fromEntries(Object.entries(o).filter(([, v]) => v !== undefined)) as Defined<T>

type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** The same as the query of a list endpoint: there `page` is always said. */
export const paged = <T extends ListSearch>(search: T) => ({
  ...search,
  page: search.page ?? 1,
  page_size: search.page_size ?? PAGE_SIZE,
})
