import { numberText, t } from '@switchroom/contract'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { linkTo } from '../../lib/link-to'
import { Button } from '../../ui/button'
import { rich } from '../../ui/rich'
import { EmptyState } from '../../ui/states'
import { TableHead } from '../../ui/table-head'
import type { Change } from './changes'

/** A number of calls, or a mean of them, with the list of those calls if there is one. */
export type Counted = { text: ReactNode; href: string } | string
export type BarRow = {
  key: string
  name: ReactNode
  calls: number
  not_answered: number
  /** The list of calls counted, if there is one. */
  href?: string
  more?: Counted[]
}

export const count = (n: number) => numberText(n)

const ARROWS = { up: '▲', down: '▼', same: '=' }

export const ChangeText = ({ way, text, tone }: Change) => (
  <span data-change={tone}>
    <span aria-hidden>{ARROWS[way]}</span> {text}
  </span>
)

/** One figure with its name, linked to its calls, and how it was in the period before. */
export function Figure({
  name,
  hint,
  href,
  was,
  change,
  children,
}: {
  name: string
  hint?: string | undefined
  /** The list of calls counted; none if the figure is unknown. */
  href: string | undefined
  /** Value that the figure is compared with. */
  was?: string | undefined
  change?: Change | undefined
  children: ReactNode
}) {
  return (
    <div className="figure">
      <dt>{name}</dt>
      <dd className="numbers">
        {href === undefined ? children : <Link {...linkTo(href)}>{children}</Link>}
      </dd>
      <dd className="figure-change">
        {was && <>{was} </>}
        {change && <ChangeText {...change} />}
      </dd>
      {hint && <dd className="figure-hint">{hint}</dd>}
    </div>
  )
}

/** A link where there is something to go to. */
const To = ({
  href,
  children,
  ...link
}: {
  href: string | undefined
  className: string
  tabIndex?: number
  children: ReactNode
}) =>
  href === undefined ? (
    children
  ) : (
    <Link {...linkTo(href)} {...link}>
      {children}
    </Link>
  )

/** Rows of a long list that are shown at first. */
const FIRST = 8

/** A bar chart that is a table, so that screen readers read the numbers. Its bars show failures apart. */
export function Bars({
  label,
  head,
  more = [],
  rows,
  all = false,
}: {
  label: string
  /** Header of the name column. */
  head: string
  /** Headers of further columns. */
  more?: string[]
  rows: BarRow[]
  /** True to show all rows, however many there are. */
  all?: boolean
}) {
  const [showsAll, setShowsAll] = useState(all)
  if (rows.length === 0) return <EmptyState text={t('No data.')} />
  const most = Math.max(...rows.map((r) => r.calls), 1)
  const share = (n: number) => (n / most) * 100
  // a button for one more row would take its place
  const isCut = !showsAll && rows.length > FIRST + 1
  return (
    <>
      <div className="table-box">
        <table className="table bars" aria-label={label}>
          <TableHead
            of={[
              head,
              { end: t('Calls') },
              { hidden: t('Share'), className: 'bars-bar' },
              ...more.map((name) => ({ end: name })),
            ]}
          />
          <tbody>
            {(isCut ? rows.slice(0, FIRST) : rows).map((r) => (
              <tr key={r.key}>
                <td data-label={head}>
                  <To href={r.href} className="table-link">
                    {r.name}
                  </To>
                </td>
                <td data-label={t('Calls')} data-align="end">
                  <To href={r.href} className="bars-number" tabIndex={-1}>
                    {count(r.calls)}
                  </To>
                </td>
                <td className="bars-bar">
                  <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden>
                    <rect width={share(r.calls)} height="8" />
                    <rect
                      className="bars-failed"
                      x={share(r.calls - r.not_answered)}
                      width={share(r.not_answered)}
                      height="8"
                    />
                  </svg>
                </td>
                {r.more?.map((cell, i) => (
                  <td key={more[i]} data-label={more[i]} data-align="end">
                    {typeof cell === 'string' ? (
                      cell
                    ) : (
                      <To href={cell.href} className="bars-number">
                        {cell.text}
                      </To>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {isCut && (
        <Button size="small" look="quiet" onClick={() => setShowsAll(true)}>
          {rich('Show all {count}', { count: count(rows.length) })}
        </Button>
      )}
    </>
  )
}
