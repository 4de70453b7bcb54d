import { keysOf, VIEW_LISTS } from '@switchroom/contract'
import { send } from './api'
import { savedViews } from './endpoints'
import { savedViewsOf, setSavedViews } from './list-view'
import { isSameView, keyOf, MAX_NAME, type SavedView } from './saved-views'
import type { ListView } from './view-columns'

// loaded when a menu of views is opened: a list’s first sight needs the browser’s copy only

const idOf = (label: string) => keysOf(VIEW_LISTS).find((id) => VIEW_LISTS[id] === label)

/** Members of a view that are sent; the server sets the rest. */
const contentOf = ({ name, search, view, is_shared = false }: SavedView) => ({
  name,
  search: search as Record<string, string>,
  view,
  is_shared,
})

/** Another name for a view whose own is taken, with space for a number. */
function freeName(name: string, taken: readonly string[]) {
  let free = name
  for (let n = 2; taken.includes(free); n++) free = `${name.slice(0, MAX_NAME - 6)} (${n})`
  return free
}

/** Moves the browser’s views to the server, then copies the server’s. One that cannot be moved stays. */
export async function readViews(label: string) {
  const list = idOf(label)
  if (!list) return
  const read = () => send(savedViews.list, { query: { list } })
  let stored = await read()
  const before = savedViewsOf(label)
  const unsent = before.views.filter((v) => !v.sid)
  const staying: SavedView[] = []
  const own = stored.filter((v) => !v.is_shared)
  const taken = own.map(({ name }) => name)
  for (const view of unsent) {
    if (
      own.some((v) => v.name === view.name && isSameView({ ...v, view: v.view as ListView }, view))
    )
      continue
    const name = freeName(view.name, taken)
    taken.push(name)
    await send(savedViews.create, { body: { list, ...contentOf({ ...view, name }) } }).catch(() =>
      staying.push(view),
    )
  }
  if (unsent.length > 0) stored = await read()
  const views = [
    ...stored.map(({ saved_view_sid: sid, list: _, ...view }) => ({ sid, ...view })),
    ...staying,
  ]
  // a start that was named before its view had a sid
  const start = views.find(
    (v) => keyOf(v) === before.start || (!v.is_shared && v.name === before.start),
  )
  setSavedViews(label, start ? { views, start: keyOf(start) } : { views })
}

/** Saves a view, and resolves to its sid. */
export async function saveOnServer(label: string, view: SavedView): Promise<string | undefined> {
  const list = idOf(label)
  if (!list) return undefined
  const body = contentOf(view)
  const { sid = (await send(savedViews.create, { body: { list, ...body } })).sid } = view
  if (view.sid) await send(savedViews.update, { params: { saved_view_sid: sid }, body })
  await readViews(label)
  return sid
}

export async function deleteOnServer(label: string, sid: string) {
  await send(savedViews.remove, { params: { saved_view_sid: sid } })
  await readViews(label)
}
