import { type Conversation, t } from '@switchroom/contract'
import { memo } from 'react'
import { EntryBody } from '../../calls/call/conversation/entry-body'
import { WordsContext } from '../../calls/call/conversation/kept-words'
import type { SideName } from '../../calls/compare-address'
import { type Row as Compared, differs } from './comparison'

const SIDE = {
  a: { name: t('Call A'), none: t('Not in call A') },
  b: { name: t('Call B'), none: t('Not in call B') },
}

type Talk = Conversation | undefined

/** A step of both calls and how they differ. Memoized: there may be thousands. */
export const Row = memo(function Row({
  row,
  index,
  a,
  b,
  longest,
  isStop,
}: {
  row: Compared
  index: number
  a: Talk
  b: Talk
  /** The milliseconds of a full response bar, the same for both calls. */
  longest: number
  /** True if the tab key stops here. */
  isStop: boolean
}) {
  const { differences } = row
  return (
    <li
      className="pair"
      data-row={index}
      data-differs={differs(row) || undefined}
      tabIndex={isStop ? 0 : -1}
    >
      <Cell name="a" talk={a} index={row.a} isAlone={row.isAlone} longest={longest} />
      <Cell name="b" talk={b} index={row.b} isAlone={row.isAlone} longest={longest} />
      {differences.length > 0 && (
        <ul className="pair-differences" aria-label={t('Differences')}>
          {differences.map(({ text }) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </li>
  )
})

function Cell({
  name,
  talk,
  index,
  isAlone,
  longest,
}: {
  name: SideName
  talk: Talk
  index: number | null
  isAlone: boolean
  longest: number
}) {
  const entry = index === null ? undefined : talk?.entries[index]
  const label = <span className="pair-side">{SIDE[name].name}</span>
  if (!talk || !entry)
    return isAlone ? (
      <div className="pair-cell pair-none">{SIDE[name].none}</div>
    ) : (
      <div className="pair-cell pair-empty" />
    )
  return (
    <div className={`pair-cell turn-${entry.kind}`}>
      {label}
      <WordsContext value={talk.words}>
        <EntryBody
          entry={entry}
          zero={talk.answered ?? talk.began}
          longest={longest}
          isSlowest={index === talk.slowest}
        />
      </WordsContext>
    </div>
  )
}
