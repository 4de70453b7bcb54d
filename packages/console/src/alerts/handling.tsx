import { type IssueState, isOpenIssue, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { BellOff, Check, ChevronDown, RotateCcw, UserRound } from 'lucide-react'
import { useState } from 'react'
import { atLeast, mayWrite } from '../lib/access'
import { query, queryClient } from '../lib/api'
import { users } from '../lib/endpoints'
import { messageOf } from '../lib/failure'
import { countAgain } from '../lib/issue-count'
import { SEARCH_PAGE, useSearchFilter, withChosen } from '../lib/pickers'
import { requireClaims } from '../lib/session'
import { useCurrentProvider } from '../lib/use-provider'
import { Button } from '../ui/button'
import { ComboboxButton } from '../ui/combobox-button'
import { Menu } from '../ui/menu'
import { rich } from '../ui/rich'
import { Time } from '../ui/time'
import { toastError, toastSuccess } from '../ui/toast'

const HOUR = 3_600_000
const TIMES = [
  { label: t('For one hour'), ms: HOUR },
  { label: t('For one day'), ms: 24 * HOUR },
  { label: t('For one week'), ms: 7 * 24 * HOUR },
]

/** Fields of an issue that people change. */
export type Change = {
  state?: 'open' | 'muted' | 'resolved'
  muted_until?: string
  assigned_to?: string | null
}
export type Handled = {
  state: IssueState
  muted_until: string | null
  assigned_to: string | null
  assignee: string | null
}

/** Who sees to an issue, and what became of it. */
export function Handling({
  issue,
  account_sid,
  send,
}: {
  issue: Handled
  /** In whose inbox it is; null for a provider's. */
  account_sid: string | null
  send: (change: Change) => Promise<unknown>
}) {
  const { state, muted_until } = issue
  const [busy, setBusy] = useState(false)
  const save = async (body: Change, done: string) => {
    setBusy(true)
    try {
      await send(body)
      toastSuccess(done)
    } catch (error) {
      toastError(messageOf(error))
    } finally {
      setBusy(false)
      await Promise.all([queryClient.invalidateQueries(), countAgain()])
    }
  }
  return (
    <div className="issue-handling">
      {state === 'muted' && (
        <p className="hint">
          {muted_until
            ? rich('Muted until {time}.', { time: <Time at={muted_until} /> })
            : t('Muted for good.')}
        </p>
      )}
      {mayWrite() ? (
        <>
          <Assignee issue={issue} account_sid={account_sid} save={save} />
          {isOpenIssue(state) || state === 'quiet' || state === 'watched' ? (
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
        issue.assignee && (
          <p className="hint">{rich('Assigned to {assignee}.', { assignee: issue.assignee })}</p>
        )
      )}
    </div>
  )
}

/** Users who see the inbox: those of its account, or of its provider. */
function useAssignees(account_sid: string | null, opened: boolean) {
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
  issue,
  account_sid,
  save,
}: {
  issue: Handled
  account_sid: string | null
  save: (body: Change, done: string) => Promise<void>
}) {
  const [opened, setOpened] = useState(false)
  const { options, ...choices } = useAssignees(account_sid, opened)
  const { assigned_to, assignee } = issue
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
          void save({ assigned_to: sid || null }, sid ? t('Assigned') : t('No longer assigned'))
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
