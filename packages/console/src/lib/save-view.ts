import { t } from '@switchroom/contract'
import { toastError, toastSuccess } from '../ui/toast'
import { messageOf } from './failure'
import { setSavedViews } from './list-view'
import { type SavedView, type ShownViews, withoutView, withView } from './saved-views'
import { deleteOnServer, saveOnServer } from './server-views'

/** Saves a view on the server, or in this browser in place of the one named `before`. Says how it went. */
export async function saveView(
  { list, saved, isOurs, chosen }: ShownViews,
  next: SavedView,
  before?: string,
  done = t('View {name} saved', { name: next.name }),
) {
  try {
    if (isOurs) chosen.set(list, (await saveOnServer(list, next)) ?? next.name)
    else {
      chosen.set(list, next.name)
      setSavedViews(list, withView(saved, next, before))
    }
    toastSuccess(done)
  } catch (error) {
    toastError(messageOf(error))
  }
}

/** Deletes a view, and says how it went. */
export async function removeView({ list, saved, chosen }: ShownViews, view: SavedView) {
  try {
    if (view.sid) await deleteOnServer(list, view.sid)
    else setSavedViews(list, withoutView(saved, view.name))
    chosen.delete(list)
    toastSuccess(t('View {name} deleted', { name: view.name }))
  } catch (error) {
    toastError(messageOf(error))
  }
}
