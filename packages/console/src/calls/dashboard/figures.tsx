import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { linkTo } from '../../lib/link-to'
import { EmptyState } from '../../ui/states'

export type BarRow = {
  key: string
  name: ReactNode
  calls: number
  /** The list of calls counted; undefined where no filter can select them. */
  href: string | undefined
  more?: ReactNode
}

export const count = (n: number) => n.toLocaleString()

/** One figure with its name, linked to its calls if there is a list of them. */
export function Figure({
  name,
  href,
  children,
}: {
  name: string
  href?: string | undefined
  children: ReactNode
}) {
  return (
    <div className="figure">
      <dt>{name}</dt>
      <dd className="numbers">{href ? <Link to={linkTo(href)}>{children}</Link> : children}</dd>
    </div>
  )
}

/** A bar chart that is a table, so that screen readers read the numbers. */
export function Bars({
  label,
  head,
  more,
  rows,
}: {
  label: string
  /** Header of the name column. */
  head: string
  /** Header of the last column, if any. */
  more?: string
  rows: BarRow[]
}) {
  if (rows.length === 0) return <EmptyState text="No data." />
  const most = Math.max(...rows.map((r) => r.calls), 1)
  return (
    <div className="table-box">
      <table className="table bars" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            <th scope="col" data-align="end">
              Calls
            </th>
            <th scope="col" className="bars-bar">
              <span className="visually-hidden">Share</span>
            </th>
            {more && (
              <th scope="col" data-align="end">
                {more}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((r) => (
            <tr key={r.key}>
              <td data-label={head}>
                {r.href ? (
                  <Link to={linkTo(r.href)} className="table-link">
                    {r.name}
                  </Link>
                ) : (
                  r.name
                )}
              </td>
              <td data-label="Calls" data-align="end">
                {count(r.calls)}
              </td>
              <td className="bars-bar">
                <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden>
                  <rect width={(r.calls / most) * 100} height="8" rx="1" />
                </svg>
              </td>
              {more && (
                <td data-label={more} data-align="end">
                  {r.more}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
