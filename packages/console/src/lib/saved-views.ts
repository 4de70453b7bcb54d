import { t } from '@switchroom/contract'
import type { ListView } from './view-columns'

/** A saved state of a list: the search in its URL, and its columns. */
export type SavedView = {
  name: string
  search: Record<string, unknown>
  view: ListView
  /** Sid on our server; the browser keeps a copy. */
  sid?: string
  is_shared?: boolean
  is_own?: boolean
}
/** The saved views of one list, and which of them it starts with. */
export type SavedViews = { views: SavedView[]; start?: string }

/** The saved views of a list, and which of them is shown. */
export type ShownViews = {
  list: string
  saved: SavedViews
  /** The search and columns on screen. */
  now: { search: Record<string, unknown>; view: ListView }
  /** The view that is the same as what is on screen. */
  exact: SavedView | undefined
  /** The exact view, or the one it was changed from. */
  current: SavedView | undefined
  /** True if the server keeps the views, false if the browser does. */
  isOurs: boolean
  /** The view of each list that this tab chose last. */
  chosen: Map<string, string>
}

/** Shared views may have the names of one’s own. */
export const keyOf = ({ sid, name }: SavedView) => sid ?? name

export const MAX_NAME = 100
export const MAX_VIEWS = 50

/** The members of a list's address that a view keeps: filters, order and page size, not the place in it. */
export const savedSearch = (search: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(search).filter(
      ([name, value]) => value !== undefined && name !== 'page' && name !== 'open',
    ),
  )

/** The same text for the same members in any order; arrays keep theirs. */
const text = (value: unknown) =>
  JSON.stringify(value, (_, v: unknown) =>
    v !== null && typeof v === 'object' && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
      : v,
  )

/** True if two views show the same, in any order of members. */
export const isSameView = (
  a: Pick<SavedView, 'search' | 'view'>,
  b: Pick<SavedView, 'search' | 'view'>,
) => text(a.search) === text(b.search) && text(a.view) === text(b.view)

/** Why a view cannot have this name, or undefined. */
export function nameProblem({ views }: SavedViews, name: string, before?: string) {
  if (!name) return t('Enter a name')
  if (name.length > MAX_NAME) return t('Enter at most {MAX_NAME} characters', { MAX_NAME })
  if (name !== before && views.some((v) => v.name === name))
    return t('A view with this name already exists')
  if (before === undefined && views.length >= MAX_VIEWS)
    return t('You can save at most {MAX_VIEWS} views of a list', { MAX_VIEWS })
  return undefined
}

/** Saves a view, in place of the one named `before`. */
export function withView(all: SavedViews, saved: SavedView, before = saved.name): SavedViews {
  const isKnown = all.views.some((v) => v.name === before)
  const views = isKnown
    ? all.views.map((v) => (v.name === before ? saved : v))
    : [...all.views, saved]
  return { ...all, views, ...(all.start === before && { start: saved.name }) }
}

export function withoutView({ views, start }: SavedViews, name: string): SavedViews {
  const others = views.filter((v) => v.name !== name)
  return start === undefined || start === name ? { views: others } : { views: others, start }
}
