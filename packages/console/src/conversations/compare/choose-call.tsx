import { type Call, durationText, t } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { titleOf } from '../../calls/call/title'
import { outcome } from '../../calls/call-text'
import type { Sides } from '../../calls/compare-address'
import { idOf } from '../../calls/search'
import { LoadError } from '../../lib/load-error'
import { usePhoneFormat } from '../../lib/phone-format'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { SearchInput } from '../../ui/filter-bar'
import { EmptyState, LoadingState } from '../../ui/states'
import { Badge } from '../../ui/status'
import { ExactTime } from '../../ui/time'
import { Checkbox } from '../../ui/toggle'
import { callsLike, isComparable } from './use-side'

const PAGE = 20

/** Picks a call among those of the same application or account, newest first. */
export function ChooseCall({
  title,
  like,
  sides,
  onChoose,
  onClose,
}: {
  title: string
  /** A call of this application. */
  like: Call
  /** The calls that are compared now. */
  sides: Sides
  onChoose: (id: string) => void
  onClose: () => void
}) {
  const [filter, setFilter] = useState('')
  const [isAnyApplication, setIsAnyApplication] = useState(false)
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useQuery({
    ...callsLike(like, { page, count: PAGE, filter: filter || undefined, isAnyApplication }),
    placeholderData: keepPreviousData,
    meta: { background: true },
  })
  const calls = data?.data.filter(isComparable) ?? []
  const format = usePhoneFormat(
    calls.flatMap(({ from, to }) => [from, to]).filter((n) => n !== null),
  )
  const again = (change: () => void) => {
    setPage(1)
    change()
  }
  return (
    <Dialog open onClose={onClose} title={title} wide>
      <div className="dialog-body">
        <SearchInput
          label={t('Filter by number or call ID')}
          value={filter}
          onChange={(text) => again(() => setFilter(text))}
          pause={300}
        />
        {like.application_sid && (
          <Checkbox
            label={t('Calls of other applications too')}
            value={isAnyApplication}
            onChange={(isAny) => again(() => setIsAnyApplication(isAny))}
          />
        )}
        {data ? (
          calls.length > 0 ? (
            <ul className="compare-choices" aria-label={t('Calls')}>
              {calls.map((call) => (
                <Choice
                  key={idOf(call)}
                  call={call}
                  title={titleOf(call, format)}
                  sides={sides}
                  onChoose={onChoose}
                />
              ))}
            </ul>
          ) : (
            <EmptyState text={t('No calls with a trace on this page.')} />
          )
        ) : error ? (
          <LoadError error={error} retry={refetch} />
        ) : (
          <LoadingState text={t('Loading the calls')} />
        )}
        {data && data.total > PAGE && (
          <nav className="compare-pages" aria-label={t('Pages')}>
            <Button size="small" disabled={page === 1} onClick={() => setPage(page - 1)}>
              {t('Newer calls')}
            </Button>
            <Button
              size="small"
              disabled={page * PAGE >= data.total}
              onClick={() => setPage(page + 1)}
            >
              {t('Older calls')}
            </Button>
          </nav>
        )}
      </div>
    </Dialog>
  )
}

function Choice({
  call,
  title,
  sides,
  onChoose,
}: {
  call: Call
  title: string
  sides: Sides
  onChoose: (id: string) => void
}) {
  const id = idOf(call) ?? ''
  const lasted = durationText(call.duration)
  return (
    <li>
      <button type="button" onClick={() => onChoose(id)}>
        <span className="compare-choice-name">
          <span className="numbers">{title}</span>
          {sides.a === id && <Badge>{t('Call A')}</Badge>}
          {sides.b === id && <Badge>{t('Call B')}</Badge>}
        </span>
        <span className="compare-choice-facts">
          <ExactTime at={call.attempted_at} />
          {lasted && ` · ${lasted}`}
          {` · ${outcome(call).word}`}
        </span>
      </button>
    </li>
  )
}
