import { useNavigate } from '@tanstack/react-router'
import { Bookmark, ChevronDown, Link2, Pencil, Pin, PinOff, Plus, Save, Trash2 } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button'
import { copyWithToast } from '../ui/copy'
import { Menu } from '../ui/menu'
import { toastSuccess } from '../ui/toast'
import { setListView, setSavedViews, useSavedViews } from './list-view'
import { isSameView, type SavedView, savedSearch, withoutView, withView } from './saved-views'
import type { ListView } from './view-columns'

const ViewName = lazy(async () => ({ default: (await import('./view-name')).ViewName }))

/** Which view of each list this tab chose last, to say that it was changed since. */
const chosen = new Map<string, string>()

/** The saved views of a list: applies, saves, renames and deletes them. */
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
  const [naming, setNaming] = useState<{ before?: string }>()
  const now = { search: savedSearch(search), view }
  const exact = saved.views.find((v) => isSameView(v, now))
  const current = exact ?? saved.views.find((v) => v.name === chosen.get(list))
  const isChanged = current !== undefined && current !== exact
  const save = (next: SavedView, before?: string) => {
    chosen.set(list, next.name)
    setSavedViews(list, withView(saved, next, before))
    toastSuccess(`View ${next.name} saved`)
  }
  const apply = (next: SavedView) => {
    chosen.set(list, next.name)
    setListView(list, next.view)
    // the router knows the search of all screens together, but not that this is the current one's
    void navigate({ to: '.', search: next.search as never, replace: false })
  }
  const start = saved.views.find((v) => v.name === saved.start)
  const onArrival = useRef(() => {
    if (start && Object.keys(now.search).length === 0) apply(start)
  })
  useEffect(() => onArrival.current(), [])

  return (
    <>
      <Menu
        trigger={
          <Button look="quiet" size="small">
            <Bookmark aria-hidden />
            <span className="view-name">{current?.name ?? 'Saved views'}</span>
            {isChanged && <span className="none">(changed)</span>}
            <ChevronDown aria-hidden />
          </Button>
        }
      >
        {({ MenuChoice, MenuItem, MenuLine, MenuHead }) => (
          <>
            {saved.views.length > 0 ? (
              <MenuChoice
                label="Saved views"
                value={exact?.name ?? ''}
                options={saved.views.map(({ name }) => ({ value: name, label: name }))}
                onChange={(name) => {
                  const next = saved.views.find((v) => v.name === name)
                  if (next) apply(next)
                }}
              />
            ) : (
              <MenuHead>Save filters, order and columns under a name, in this browser.</MenuHead>
            )}
            <MenuLine />
            {isChanged && (
              <MenuItem
                icon={<Save aria-hidden />}
                onClick={() => save({ name: current.name, ...now })}
              >
                Update view
              </MenuItem>
            )}
            {!exact && (
              <MenuItem icon={<Plus aria-hidden />} onClick={() => setNaming({})}>
                Save as new view
              </MenuItem>
            )}
            {current && (
              <>
                <MenuItem
                  icon={<Pencil aria-hidden />}
                  onClick={() => setNaming({ before: current.name })}
                >
                  Rename view
                </MenuItem>
                {saved.start === current.name ? (
                  <MenuItem
                    icon={<PinOff aria-hidden />}
                    onClick={() => setSavedViews(list, { views: saved.views })}
                  >
                    Don’t start with this view
                  </MenuItem>
                ) : (
                  <MenuItem
                    icon={<Pin aria-hidden />}
                    onClick={() => setSavedViews(list, { ...saved, start: current.name })}
                  >
                    Start with this view
                  </MenuItem>
                )}
              </>
            )}
            <MenuItem
              icon={<Link2 aria-hidden />}
              onClick={() => void copyWithToast(location.href, 'Link')}
            >
              Copy link
            </MenuItem>
            {current && (
              <MenuItem
                danger
                icon={<Trash2 aria-hidden />}
                onClick={() => {
                  chosen.delete(list)
                  setSavedViews(list, withoutView(saved, current.name))
                  toastSuccess(`View ${current.name} deleted`)
                }}
              >
                Delete view
              </MenuItem>
            )}
          </>
        )}
      </Menu>
      <Suspense>
        {naming && (
          <ViewName
            saved={saved}
            before={naming.before}
            onClose={() => setNaming(undefined)}
            onSave={(name) =>
              naming.before === undefined
                ? save({ name, ...now })
                : save({ ...current!, name }, naming.before)
            }
          />
        )}
      </Suspense>
    </>
  )
}
