import { t } from '@switchroom/contract'
import { useNavigate } from '@tanstack/react-router'
import { Bookmark, ChevronDown } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button'
import { Menu } from '../ui/menu'
import { setListView, useSavedViews } from './list-view'
import { isSameView, keyOf, type SavedView, type ShownViews, savedSearch } from './saved-views'
import { useCapabilities } from './use-capabilities'
import type { ListView } from './view-columns'

const ViewsMenuItems = lazy(async () => ({
  default: (await import('./views-menu-items')).ViewsMenuItems,
}))
const ViewName = lazy(async () => ({ default: (await import('./view-name')).ViewName }))
const ViewAlertDialog = lazy(async () => ({
  default: (await import('./view-alert')).ViewAlertDialog,
}))

/** The view of each list that this tab chose last, to show if it was changed since. */
const chosen = new Map<string, string>()

/** Dialog opened by the menu: the name of a new view or of the current one, or the current one's alert. */
type Opened = { naming: { before?: string } } | { alerting: SavedView }

/** The saved views of a list: applies, saves, renames, watches and deletes them. */
export function ViewsMenu({
  list,
  search,
  view,
}: {
  list: string
  search: object
  view: ListView
}) {
  const navigate = useNavigate()
  const saved = useSavedViews(list)
  const isOurs = Boolean(useCapabilities())
  const [opened, setOpened] = useState<Opened>()
  const now = { search: savedSearch(search), view }
  const exact = saved.views.find((v) => isSameView(v, now))
  const current = exact ?? saved.views.find((v) => keyOf(v) === chosen.get(list))
  const isChanged = current !== undefined && current !== exact
  const apply = (next: SavedView) => {
    chosen.set(list, keyOf(next))
    setListView(list, next.view)
    // the router knows the search of all screens together, but not that this is the current one's
    void navigate({ to: '.', search: next.search as never, replace: false })
  }
  const start = saved.views.find((v) => keyOf(v) === saved.start)
  const onArrival = useRef(() => {
    if (start && Object.keys(now.search).length === 0) apply(start)
  })
  useEffect(() => onArrival.current(), [])
  const views: ShownViews = { list, saved, now, exact, current, isOurs, chosen }
  const close = () => setOpened(undefined)

  return (
    <>
      <Menu
        trigger={
          <Button look="quiet" size="small">
            <Bookmark aria-hidden />
            <span className="view-name">{current?.name ?? t('Saved views')}</span>
            {isChanged && <span className="none">{t('(changed)')}</span>}
            <ChevronDown aria-hidden />
          </Button>
        }
      >
        {(parts) => (
          <Suspense>
            <ViewsMenuItems parts={parts} views={views} onApply={apply} onOpen={setOpened} />
          </Suspense>
        )}
      </Menu>
      <Suspense>
        {opened &&
          ('alerting' in opened ? (
            <ViewAlertDialog label={list} view={opened.alerting} onClose={close} />
          ) : (
            <ViewName views={views} before={opened.naming.before} onClose={close} />
          ))}
      </Suspense>
    </>
  )
}
