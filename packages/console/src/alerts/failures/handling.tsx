import { type Failure, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { BellOff, Check, ChevronDown, RotateCcw, UserRound } from 'lucide-react'
import { useState } from 'react'
import { atLeast, mayWrite } from '../../lib/access'
import { query, queryClient, send } from '../../lib/api'
import { failures, users } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { SEARCH_PAGE, useSearchFilter, withChosen } from '../../lib/pickers'
import { requireClaims } from '../../lib/session'
import { useCurrentProvider } from '../../lib/use-provider'
import { Button } from '../../ui/button'
import { ComboboxButton } from '../../ui/combobox-button'
import { Menu } from '../../ui/menu'
import { rich } from '../../ui/rich'
import { Time } from '../../ui/time'
import { toastError, toastSuccess } from '../../ui/toast'
import { countAgain } from '../unread-alerts'

const HOUR = 3_600_000
const TIMES = [
  { label: t('For one hour'), ms: HOUR },
  { label: t('For one day'), ms: 24 * HOUR },
  { label: t('For one week'), ms: 7 * 24 * HOUR },
]

type Change = Parameters<typeof send<typeof failures.update>>[1]['body']

/** Who sees to a failure, and what became of it. */
export function Handling({ failure }: { failure: Failure }) {
  const { failure_sid, state, muted_until } = failure
  const [busy, setBusy] = useState(false)
  const save = async (body: Change, done: string) => {
    setBusy(true)
    try {
      await send(failures.update, { params: { failure_sid }, body })
      toastSuccess(done)
    } catch (error) {
      toastError(messageOf(error))
    } finally {
      setBusy(false)
      await Promise.all([queryClient.invalidateQueries(), countAgain()])
    }
  }
  const isOpen = state === 'open' || state === 'returned'
  return (
    <div className="failure-handling">
      {state === 'muted' && (
        <p className="hint">
          {muted_until
            ? rich('Muted until {time}.', { time: <Time at={muted_until} /> })
            : t('Muted for good.')}
        </p>
      )}
      {mayWrite() ? (
        <>
          <Assignee failure={failure} save={save} />
          {isOpen ? (
            <>
              <Button
                size="small"
                busy={busy}
                onClick={() => void save({ state: 'resolved' }, t('Resolved'))}
              >
                <Check aria-hidden />
                {t('Resolve')}
              </Button>
              <Menu
                align="start"
                trigger={
                  <Button size="small" busy={busy}>
                    <BellOff aria-hidden />
                    {t('Mute')}
                    <ChevronDown aria-hidden />
                  </Button>
                }
              >
                {({ MenuItem }) => (
                  <>
                    {TIMES.map(({ label, ms }) => (
                      <MenuItem
                        key={label}
                        onClick={() => {
                          const muted_until = new Date(Date.now() + ms).toISOString()
                          void save({ state: 'muted', muted_until }, t('Muted'))
                        }}
                      >
                        {label}
                      </MenuItem>
                    ))}
                    <MenuItem onClick={() => void save({ state: 'muted' }, t('Muted'))}>
                      {t('For good')}
                    </MenuItem>
                  </>
                )}
              </Menu>
            </>
          ) : (
            <Button
              size="small"
              busy={busy}
              onClick={() => void save({ state: 'open' }, t('Reopened'))}
            >
              <RotateCcw aria-hidden />
              {t('Reopen')}
            </Button>
          )}
        </>
      ) : (
        failure.assignee && (
          <p className="hint">{rich('Assigned to {assignee}.', { assignee: failure.assignee })}</p>
        )
      )}
    </div>
  )
}

/** Users who see the failure: those of its account, or of its provider. */
function useAssignees({ account_sid }: Failure, opened: boolean) {
  const service_provider_sid = useCurrentProvider()
  const { filter, onSearch } = useSearchFilter()
  const asked = { ...SEARCH_PAGE, filter, service_provider_sid }
  const own = useQuery({
    ...query(users.list, {
      query: account_sid ? { ...asked, account_sid } : { ...asked, scope: 'service_provider' },
    }),
    enabled: opened,
  })
  const admins = useQuery({
    ...query(users.list, { query: { ...asked, scope: 'admin' } }),
    enabled: opened && account_sid === null && atLeast('admin'),
  })
  const rows = [...(own.data?.data ?? []), ...(admins.data?.data ?? [])]
  return {
    options: rows.map(({ user_sid, name }) => ({ value: user_sid, label: name })),
    loading: own.isFetching || admins.isFetching,
    onSearch,
  }
}

function Assignee({
  failure,
  save,
}: {
  failure: Failure
  save: (body: Change, done: string) => Promise<void>
}) {
  const [opened, setOpened] = useState(false)
  const { options, ...choices } = useAssignees(failure, opened)
  const { assigned_to, assignee } = failure
  const me = requireClaims().user_sid
  const chosen = assigned_to ? { value: assigned_to, label: assignee ?? assigned_to } : undefined
  return (
    <>
      <ComboboxButton
        label={t('Assigned to')}
        placeholder={t('Not assigned')}
        value={assigned_to ?? ''}
        onOpen={() => setOpened(true)}
        onChange={(sid) =>
          void save({ assigned_to: sid || null }, sid ? t('Assigned') : t('Not assigned any more'))
        }
        {...choices}
        options={[{ value: '', label: t('Not assigned') }, ...withChosen(options, chosen)]}
      />
      {assigned_to !== me && (
        <Button size="small" onClick={() => void save({ assigned_to: me }, t('Assigned to you'))}>
          <UserRound aria-hidden />
          {t('Assign to me')}
        </Button>
      )}
    </>
  )
}
