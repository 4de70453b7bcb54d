import { type Conversation, plural, t } from '@switchroom/contract'
import { type RefObject, useMemo } from 'react'
import { hasCutTexts, longestOf } from '../../calls/call/conversation/conversation-text'
import { showRow, useRowKeys } from '../../calls/call/conversation/use-row-keys'
import { EmptyState } from '../../ui/states'
import { Checkbox } from '../../ui/toggle'
import type { Row as Compared } from './comparison'
import { Row } from './row'

type Talk = Conversation | undefined

/** The steps of both calls, in order. */
export function Rows({
  a,
  b,
  rows,
  count,
  list,
  onlyDifferences,
  onOnlyDifferences,
}: {
  a: Talk
  b: Talk
  rows: readonly Compared[]
  /** Number of rows; the last ones may be rendered later. */
  count: number
  list: RefObject<HTMLOListElement | null>
  onlyDifferences: boolean
  onOnlyDifferences: (only: boolean) => void
}) {
  const { stop, keys } = useRowKeys(rows.length, (index) => showRow(list.current, index))
  const longest = useMemo(
    () => Math.max(longestOf(a?.entries ?? []), longestOf(b?.entries ?? [])),
    [a, b],
  )
  return (
    <section aria-label={t('Conversations')}>
      {a && b && (
        <div className="compare-tools">
          <Checkbox
            label={t('Only differences')}
            value={onlyDifferences}
            onChange={onOnlyDifferences}
          />
          <span role="status">{plural(count, '1 step|{n} steps')}</span>
        </div>
      )}
      {[a, b].some(hasCutTexts) && (
        <p role="note" className="conversation-note">
          {t('Traces contain only the beginning of what the application says.')}
        </p>
      )}
      {a && b && (a.transcribed === null) !== (b.transcribed === null) && (
        <p role="note" className="conversation-note">
          {a.transcribed
            ? t('Only the recording of call A was transcribed. Call B may have the same words.')
            : t('Only the recording of call B was transcribed. Call A may have the same words.')}
        </p>
      )}
      <div className="compare-columns" aria-hidden>
        <span>{t('Call A')}</span>
        <span>{t('Call B')}</span>
      </div>
      {count === 0 && <EmptyState text={t('No differences.')} />}
      <ol ref={list} className="pairs" aria-label={t('Steps of both calls')} {...keys}>
        {rows.map((row, index) => (
          <Row
            key={`${row.a} ${row.b}`}
            row={row}
            index={index}
            a={a}
            b={b}
            longest={longest}
            isStop={index === stop}
          />
        ))}
      </ol>
    </section>
  )
}
