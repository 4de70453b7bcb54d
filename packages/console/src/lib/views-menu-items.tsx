import { t } from '@switchroom/contract'
import { Link2, Pencil, Pin, PinOff, Plus, Save, Trash2, UserRound, Users } from 'lucide-react'
import { useEffect } from 'react'
import { copyWithToast } from '../ui/copy'
import type { MenuProps } from '../ui/popups'
import { toastError } from '../ui/toast'
import { mayWrite } from './access'
import { messageOf } from './failure'
import { setSavedViews } from './list-view'
import { removeView, saveView } from './save-view'
import { keyOf, type SavedView, type ShownViews } from './saved-views'
import { requireClaims } from './session'
import { ViewAlertItem } from './view-alert'

// loaded when the menu is opened: a list’s first sight needs its button only

const SHARE = {
  account: t('Share with account'),
  service_provider: t('Share with service provider'),
  admin: t('Share with administrators'),
}

/** Copies the server’s views when the menu is opened. Without them the list goes on with its last copy. */
function useFreshViews({ list, isOurs }: ShownViews) {
  useEffect(() => {
    if (!isOurs) return
    import('./server-views')
      .then(({ readViews }) => readViews(list))
      .catch((error: unknown) => toastError(messageOf(error)))
  }, [list, isOurs])
}

export function ViewsMenuItems({
  parts: { MenuChoice, MenuItem, MenuLine, MenuHead },
  views,
  onApply,
  onOpen,
}: {
  parts: Parameters<MenuProps['children']>[0]
  views: ShownViews
  onApply: (view: SavedView) => void
  onOpen: (opened: { naming: { before?: string } } | { alerting: SavedView }) => void
}) {
  useFreshViews(views)
  const { list, saved, now, exact, current, isOurs } = views
  const isChanged = current !== undefined && current !== exact
  // a shared view is others’ as well: view-only users only apply it
  const mayChange = current !== undefined && (!current.is_shared || mayWrite())
  return (
    <>
      {saved.views.length > 0 ? (
        <MenuChoice
          label={t('Saved views')}
          value={exact ? keyOf(exact) : ''}
          options={saved.views.map((v) => ({
            value: keyOf(v),
            label: v.is_shared ? t('{name} (shared)', { name: v.name }) : v.name,
          }))}
          onChange={(key) => {
            const next = saved.views.find((v) => keyOf(v) === key)
            if (next) onApply(next)
          }}
        />
      ) : (
        <MenuHead>
          {isOurs
            ? t('Save filters, order and columns under a name.')
            : t('Save filters, order and columns under a name, in this browser.')}
        </MenuHead>
      )}
      <MenuLine />
      {isChanged && mayChange && (
        <MenuItem
          icon={<Save aria-hidden />}
          onClick={() => void saveView(views, { ...current, ...now })}
        >
          {t('Update view')}
        </MenuItem>
      )}
      {!exact && (
        <MenuItem icon={<Plus aria-hidden />} onClick={() => onOpen({ naming: {} })}>
          {t('Save as new view')}
        </MenuItem>
      )}
      {current && (
        <>
          {mayChange && (
            <MenuItem
              icon={<Pencil aria-hidden />}
              onClick={() => onOpen({ naming: { before: current.name } })}
            >
              {t('Rename view')}
            </MenuItem>
          )}
          {current.is_own && mayWrite() && (
            <MenuItem
              icon={current.is_shared ? <UserRound aria-hidden /> : <Users aria-hidden />}
              onClick={() =>
                void saveView(
                  views,
                  { ...current, is_shared: !current.is_shared },
                  undefined,
                  current.is_shared
                    ? t('View {name} is no longer shared', { name: current.name })
                    : t('View {name} shared', { name: current.name }),
                )
              }
            >
              {current.is_shared ? t('Stop sharing') : SHARE[requireClaims().scope]}
            </MenuItem>
          )}
          {saved.start === keyOf(current) ? (
            <MenuItem
              icon={<PinOff aria-hidden />}
              onClick={() => setSavedViews(list, { views: saved.views })}
            >
              {t('Don’t start with this view')}
            </MenuItem>
          ) : (
            <MenuItem
              icon={<Pin aria-hidden />}
              onClick={() => setSavedViews(list, { ...saved, start: keyOf(current) })}
            >
              {t('Start with this view')}
            </MenuItem>
          )}
        </>
      )}
      {isOurs && current?.sid && (
        <ViewAlertItem
          {...{ MenuItem, label: list, sid: current.sid }}
          onOpen={() => onOpen({ alerting: current })}
        />
      )}
      <MenuItem
        icon={<Link2 aria-hidden />}
        onClick={() => void copyWithToast(location.href, t('Link'))}
      >
        {t('Copy link')}
      </MenuItem>
      {current && mayChange && (
        <MenuItem
          danger
          icon={<Trash2 aria-hidden />}
          onClick={() => void removeView(views, current)}
        >
          {t('Delete view')}
        </MenuItem>
      )}
    </>
  )
}
