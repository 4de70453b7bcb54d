import { translated } from '@switchroom/contract'
import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, ChevronRight, ChevronsUpDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Skeleton } from '../ui/states'
import { resizeColumn } from './column-resize'
import { defined, type ListSearch } from './list-search'
import { PAGE_SIZE } from './page-sizes'
import { PlainLink } from './plain-link'
import { type RowAction, RowActions } from './row-actions'

export type Column<T> = {
  /** A message in English, by which the column's place and width are remembered. */
  header: string
  /** Stands behind the header, in brackets. */
  note?: string
  cell: (row: T) => ReactNode
  /** Tooltip of the header on what is counted. A message in English. */
  help?: string
  /** A second line outside the row's link, such as the sid. */
  sub?: (row: T) => ReactNode
  /** Names of the column in an exported file. */
  fileColumns?: readonly string[]
  /** The column's name in `sort`, if the endpoint can sort by it. */
  sort?: string
  /** For numbers. */
  align?: 'end'
  /** Hidden in narrow tables. */
  wideOnly?: true
  width?: number | string
  /** The width was chosen: only where rows would not fit otherwise is it smaller. */
  isFixed?: true
}

/** Header text of a column. */
export const headerText = ({ header, note }: { header: string; note?: string }) =>
  note ? `${translated(header)} (${note})` : translated(header)

/** The row whose details are open. */
export type OpenRow<T> = {
  isOpen: (row: T) => boolean
  onChange: (row: T, open: boolean) => void
}

export const placeholders = Array.from({ length: PAGE_SIZE }, (_, n) => n)

export function Head<T>({
  column,
  sort: now,
  onResize,
}: {
  column: Column<T>
  sort: string | undefined
  onResize: (width: number) => void
}) {
  const { sort, align, wideOnly, width, isFixed, help } = column
  const header = headerText(column)
  const up = now === sort
  const down = now === `-${sort}`
  const state = sort === undefined ? undefined : up ? 'ascending' : down ? 'descending' : 'none'
  return (
    <th
      scope="col"
      aria-sort={state}
      className={wideOnly ? 'table-wide' : undefined}
      data-align={align}
      data-fixed={isFixed}
      title={help && translated(help)}
      style={{ width, minWidth: isFixed && width }}
    >
      {sort === undefined ? (
        header
      ) : (
        <Link
          to="."
          className="table-sort"
          data-part="sort"
          activeOptions={{ exact: true }}
          search={(old: ListSearch) =>
            defined({ ...old, page: undefined, sort: up ? `-${sort}` : sort })
          }
        >
          {header}
          {up && <ArrowUp aria-hidden />}
          {down && <ArrowDown aria-hidden />}
          {!up && !down && <ChevronsUpDown className="table-sort-hint" aria-hidden />}
        </Link>
      )}
      <span className="table-edge" aria-hidden onPointerDown={(e) => resizeColumn(e, onResize)} />
    </th>
  )
}

export function Row<T>({
  row,
  columns,
  rowHref,
  actions,
  detail,
  openRow,
  check,
}: {
  row: T
  check: ReactNode
  detail?: ((row: T) => ReactNode) | undefined
  openRow?: OpenRow<T> | undefined
  columns: readonly Column<T>[]
  rowHref?: ((row: T) => string | undefined) | undefined
  actions?: ((row: T) => RowAction[]) | undefined
}) {
  const href = rowHref?.(row)
  const id = useId()
  const [ownOpen, setOwnOpen] = useState(false)
  const open = openRow?.isOpen(row) ?? ownOpen
  const setOpen = (next: boolean) => (openRow ? openRow.onChange(row, next) : setOwnOpen(next))
  const line = (
    <tr>
      {check && (
        <td className="table-check" data-part="check">
          {check}
        </td>
      )}
      {columns.map((c, i) => (
        <td
          key={c.header}
          data-label={headerText(c)}
          data-align={c.align}
          data-fixed={c.isFixed}
          className={c.wideOnly ? 'table-wide' : undefined}
        >
          {lines(
            c.sub?.(row),
            i === 0 && href ? (
              <PlainLink href={href} className="table-link" data-part="main">
                {c.cell(row)}
              </PlainLink>
            ) : i === 0 && detail ? (
              <button
                type="button"
                className="table-open"
                data-part="main"
                aria-expanded={open}
                aria-controls={open ? id : undefined}
                onClick={() => setOpen(!open)}
              >
                <ChevronRight aria-hidden />
                {c.cell(row)}
              </button>
            ) : (
              c.cell(row)
            ),
          )}
        </td>
      ))}
      {actions && (
        <td className="table-actions" data-part="actions">
          <RowActions actions={actions(row)} />
        </td>
      )}
    </tr>
  )
  if (!detail) return line
  return (
    <>
      {line}
      {open && (
        <tr id={id} className="table-detail" data-part="detail">
          <td colSpan={columns.length + (check ? 1 : 0) + (actions ? 1 : 0)}>{detail(row)}</td>
        </tr>
      )}
    </>
  )
}

/** No component: a list has hundreds of cells. */
const lines = (sub: ReactNode, first: ReactNode) =>
  sub === undefined ? (
    first
  ) : (
    <span className="two-lines">
      {first}
      {sub}
    </span>
  )

export const SkeletonRow = ({ columns }: { columns: number }) => (
  <tr aria-hidden>
    {placeholders.slice(0, columns).map((n) => (
      <td key={n}>
        <Skeleton width={n === 0 ? 140 : 96} />
      </td>
    ))}
  </tr>
)
