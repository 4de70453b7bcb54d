import { useNavigate } from '@tanstack/react-router'
import {
  Bookmark,
  ChevronDown,
  Link2,
  Pencil,
  Pin,
  PinOff,
  Plus,
  Save,
  Trash2,
  UserRound,
  Users,
} from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button'
import { copyWithToast } from '../ui/copy'
import { Menu } from '../ui/menu'
import { toastError, toastSuccess } from '../ui/toast'
import { mayWrite } from './access'
import { messageOf } from './failure'
import { setListView, setSavedViews, useSavedViews } from './list-view'
import {
  isSameView,
  keyOf,
  type SavedView,
  savedSearch,
  withoutView,
  withView,
} from './saved-views'
import { requireClaims } from './session'
import { useCapabilities } from './use-capabilities'
import type { ListView } from './view-columns'

const ViewName = lazy(async () => ({ default: (await import('./view-name')).ViewName }))

const SCOPES = {
  account: 'account',
  service_provider: 'service provider',
  admin: 'administrators',
} as const

/** Copies the server’s views when the menu is opened. Without them the list goes on with its last copy. */
function Refresh({ list }: { list: string }) {
  useEffect(() => {
    import('./server-views')
      .then(({ readViews }) => readViews(list))
      .catch((error: unknown) => toastError(messageOf(error)))
  }, [list])
  return null
}

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
  const isOurs = Boolean(useCapabilities())
  const [naming, setNaming] = useState<{ before?: string }>()
  const now = { search: savedSearch(search), view }
  const exact = saved.views.find((v) => isSameView(v, now))
  const current = exact ?? saved.views.find((v) => keyOf(v) === chosen.get(list))
  const isChanged = current !== undefined && current !== exact
  // a shared view is others’ as well: view-only users only apply it
  const mayChange = current !== undefined && (!current.is_shared || mayWrite())
  const save = async (next: SavedView, before?: string, done = `View ${next.name} saved`) => {
    try {
      if (isOurs) {
        const { saveOnServer } = await import('./server-views')
        chosen.set(list, (await saveOnServer(list, next)) ?? next.name)
      } else {
        chosen.set(list, next.name)
        setSavedViews(list, withView(saved, next, before))
      }
      toastSuccess(done)
    } catch (error) {
      toastError(messageOf(error))
    }
  }
  const remove = async (view: SavedView) => {
    try {
      if (view.sid) await (await import('./server-views')).deleteOnServer(list, view.sid)
      else setSavedViews(list, withoutView(saved, view.name))
      chosen.delete(list)
      toastSuccess(`View ${view.name} deleted`)
    } catch (error) {
      toastError(messageOf(error))
    }
  }
  const apply = (next: SavedView) => {
    chosen.set(list, keyOf(next))
    setListView(list, next.view)
    // the router knows the search of all screens together, but not that this is the current one's
    void navigate({ to: '.', search: next.search as never, replace: false })
  }
  // names are unique among one’s own, and among shared ones
  const isShared = naming?.before !== undefined && current?.is_shared === true
  const start = saved.views.find((v) => keyOf(v) === saved.start)
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
            {isOurs && <Refresh list={list} />}
            {saved.views.length > 0 ? (
              <MenuChoice
                label="Saved views"
                value={exact ? keyOf(exact) : ''}
                options={saved.views.map((v) => ({
                  value: keyOf(v),
                  label: v.is_shared ? `${v.name} (shared)` : v.name,
                }))}
                onChange={(key) => {
                  const next = saved.views.find((v) => keyOf(v) === key)
                  if (next) apply(next)
                }}
              />
            ) : (
              <MenuHead>
                Save filters, order and columns under a name{isOurs ? '.' : ', in this browser.'}
              </MenuHead>
            )}
            <MenuLine />
            {isChanged && mayChange && (
              <MenuItem
                icon={<Save aria-hidden />}
                onClick={() => void save({ ...current, ...now })}
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
                {mayChange && (
                  <MenuItem
                    icon={<Pencil aria-hidden />}
                    onClick={() => setNaming({ before: current.name })}
                  >
                    Rename view
                  </MenuItem>
                )}
                {current.is_own && mayWrite() && (
                  <MenuItem
                    icon={current.is_shared ? <UserRound aria-hidden /> : <Users aria-hidden />}
                    onClick={() =>
                      void save(
                        { ...current, is_shared: !current.is_shared },
                        undefined,
                        current.is_shared
                          ? `View ${current.name} is no longer shared`
                          : `View ${current.name} shared`,
                      )
                    }
                  >
                    {current.is_shared
                      ? 'Stop sharing'
                      : `Share with ${SCOPES[requireClaims().scope]}`}
                  </MenuItem>
                )}
                {saved.start === keyOf(current) ? (
                  <MenuItem
                    icon={<PinOff aria-hidden />}
                    onClick={() => setSavedViews(list, { views: saved.views })}
                  >
                    Don’t start with this view
                  </MenuItem>
                ) : (
                  <MenuItem
                    icon={<Pin aria-hidden />}
                    onClick={() => setSavedViews(list, { ...saved, start: keyOf(current) })}
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
            {current && mayChange && (
              <MenuItem danger icon={<Trash2 aria-hidden />} onClick={() => void remove(current)}>
                Delete view
              </MenuItem>
            )}
          </>
        )}
      </Menu>
      <Suspense>
        {naming && (
          <ViewName
            saved={{
              views: saved.views.filter((v) => !isOurs || (v.is_shared ?? false) === isShared),
            }}
            isKeptHere={!isOurs}
            before={naming.before}
            onClose={() => setNaming(undefined)}
            onSave={(name) =>
              naming.before === undefined
                ? void save({ name, ...now })
                : void save({ ...current!, name }, naming.before)
            }
          />
        )}
      </Suspense>
    </>
  )
}
