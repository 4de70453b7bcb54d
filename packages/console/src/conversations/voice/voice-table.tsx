import { numberText, t } from '@switchroom/contract'
import { type ReactNode, useState } from 'react'
import { ChangeText } from '../../calls/dashboard/figures'
import type { FigureFilter } from '../../calls/dashboard/links'
import { PlainLink } from '../../lib/plain-link'
import { Button } from '../../ui/button'
import { rich } from '../../ui/rich'
import { EmptyState } from '../../ui/states'
import type { Comparison, Shown } from './changes'
import { otherText, uncertainText } from './other-text'

type Cell = {
  shown: Shown
  /** Filter for the calls that the value counts; none if it is unknown. */
  filter: FigureFilter | undefined
  /** Number of times a percentile is computed from, if few. */
  few?: number | undefined
}
export type Column<R> = { head: string; cell: (row: R) => Cell }

/** Rows shown at first. */
const FIRST = 10

/** Figures grouped by recognizer, voice and so on; each links to its calls. */
export function VoiceTable<R>({
  label,
  head,
  columns,
  rows,
  all = false,
  keyOf,
  nameOf,
  filterOf,
  hrefOf,
  other,
}: {
  label: string
  /** Header of the name column. */
  head: string
  columns: readonly Column<R>[]
  rows: readonly R[]
  /** True to show all rows, however many there are. */
  all?: boolean
  keyOf: (row: R) => string
  nameOf: (row: R) => ReactNode
  /** Filter for the calls of a row; undefined if no list shows them. */
  filterOf: (row: R) => FigureFilter | undefined
  hrefOf: (filter: FigureFilter, row: R) => string
  other: Pick<Comparison, 'application'> | undefined
}) {
  const [showsAll, setShowsAll] = useState(all)
  if (rows.length === 0) return <EmptyState text={t('No data.')} />
  // a button for one more row would take its place
  const isCut = !showsAll && rows.length > FIRST + 1
  return (
    <>
      <div className="table-box voice-table">
        <table className="table" aria-label={label}>
          <thead>
            <tr>
              <th scope="col">{head}</th>
              {columns.map((column) => (
                <th key={column.head} scope="col" data-align="end">
                  {column.head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(isCut ? rows.slice(0, FIRST) : rows).map((row) => (
              <tr key={keyOf(row)}>
                <td data-label={head}>
                  <Name filter={filterOf(row)} hrefOf={(f) => hrefOf(f, row)}>
                    {nameOf(row)}
                  </Name>
                </td>
                {columns.map((column) => (
                  <td key={column.head} data-label={column.head} data-align="end">
                    <CellText {...column.cell(row)} other={other} hrefOf={(f) => hrefOf(f, row)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {isCut && (
        <Button size="small" look="quiet" onClick={() => setShowsAll(true)}>
          {rich('Show all {count}', { count: numberText(rows.length) })}
        </Button>
      )}
    </>
  )
}

const Name = ({
  filter,
  hrefOf,
  children,
}: Pick<Cell, 'filter'> & { hrefOf: (filter: FigureFilter) => string; children: ReactNode }) =>
  filter ? (
    <PlainLink href={hrefOf(filter)} className="table-link">
      {children}
    </PlainLink>
  ) : (
    children
  )

function CellText({
  shown,
  filter,
  few,
  other,
  hrefOf,
}: Cell & {
  other: Pick<Comparison, 'application'> | undefined
  hrefOf: (filter: FigureFilter) => string
}) {
  const was = otherText(shown, other)
  const isNothing = shown.text === '0' || filter === undefined
  return (
    <span className="voice-cell">
      {isNothing ? (
        <span className="none">{shown.text}</span>
      ) : (
        <PlainLink href={hrefOf(filter)} className="bars-number">
          {shown.text}
        </PlainLink>
      )}
      {few !== undefined && <span className="voice-note voice-few">{uncertainText(few)}</span>}
      {was !== undefined && <span className="voice-note">{was}</span>}
      {shown.change && (
        <span className="voice-note">
          <ChangeText {...shown.change} />
        </span>
      )}
    </span>
  )
}
