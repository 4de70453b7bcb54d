import type { WatchedList } from '@switchroom/contract'

const PATHS: Record<WatchedList, string> = {
  recent_calls: '/internal/recent-calls',
  alerts: '/internal/alerts',
}

/** Path of a view's list in the console, with changes to its search. */
export function viewPath(
  list: WatchedList,
  search: Readonly<Record<string, unknown>>,
  replaced: Readonly<Record<string, string>> = {},
) {
  const members = Object.entries({ ...search, ...replaced })
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]): [string, string] => [name, String(value)])
  return members.length > 0 ? `${PATHS[list]}?${new URLSearchParams(members)}` : PATHS[list]
}
