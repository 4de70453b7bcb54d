import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  type RowSelectionState,
  rowSelectionFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { Button } from '../ui/button'
import { ErrorState, Skeleton } from '../ui/states'
import { messageOf, requestIdOf } from './failure'
import { defined, type ListSearch } from './list-search'
import { PAGE_SIZE } from './page-sizes'
import { Pagination } from './pagination'
import { type RowAction, RowActions } from './row-actions'
import './table.css'

export type Column<T> = {
  header: string
  cell: (row: T) => ReactNode
  /** A second line, outside the row's link: the sid under a name. */
  sub?: (row: T) => ReactNode
  /** The column's name in the URL's `sort`, where the endpoint takes it. */
  sort?: string
  /** Numbers stand right. */
  align?: 'end'
  /** Left out on narrow screens, where a row becomes a card. */
  wideOnly?: true
  width?: number | string
}

type Props<T> = {
  /** What the rows are: the table's name. */
  label: string
  columns: readonly Column<T>[]
  query: Pick<
    UseQueryResult<{ data: T[]; total: number }>,
    'data' | 'error' | 'isPlaceholderData' | 'refetch'
  >
  search: ListSearch
  rowKey: (row: T) => string
  /** Where the row leads. The first column's cell becomes the link, and the whole row its area. */
  rowHref?: (row: T) => string | undefined
  actions?: (row: T) => RowAction[]
  /** What stands there when nothing is there; another sentence when filters hide it. */
  empty: ReactNode
  /** What can be done with the selected rows. Without it none can be selected. */
  selection?: (rows: T[], clear: () => void) => ReactNode
}

const placeholders = Array.from({ length: PAGE_SIZE }, (_, n) => n)

const features = tableFeatures({ rowSelectionFeature })

/** A page of rows of a list endpoint. Its page, size and order live in the URL. */
export function Table<T extends object>(props: Props<T>) {
  const { label, columns, query, search, rowKey, selection } = props
  const { data, error } = query
  const rows = data?.data
  const [chosen, setChosen] = useState<RowSelectionState>({})
  // the columns are ours; the library keeps the rows and what is selected
  const table = useTable({
    features,
    columns: useMemo(() => [], []),
    data: useMemo(() => rows ?? [], [rows]),
    getRowId: rowKey,
    enableRowSelection: !!selection,
    state: { rowSelection: chosen },
    onRowSelectionChange: setChosen,
  })
  const selected = table.getSelectedRowModel().rows.map((r) => r.original)

  if (data && data.total === 0 && !error) return <div className="table-box">{props.empty}</div>
  if (!data && error)
    return (
      <div className="table-box">
        <ErrorState
          message={messageOf(error)}
          requestId={requestIdOf(error)}
          onRetry={() => void query.refetch()}
        />
      </div>
    )
  return (
    <>
      {error && <StaleNotice error={error} onRetry={() => void query.refetch()} />}
      {selection && selected.length > 0 && (
        <div className="table-selection" role="toolbar" aria-label="Selected rows">
          <span className="numbers">{selected.length} selected</span>
          {selection(selected, () => setChosen({}))}
          <Button look="quiet" size="small" onClick={() => setChosen({})}>
            Clear selection
          </Button>
        </div>
      )}
      <div className="table-box" aria-busy={!data || query.isPlaceholderData}>
        <table className="table" aria-label={label}>
          <thead>
            <tr>
              {selection && (
                <th scope="col" className="table-check">
                  <input
                    type="checkbox"
                    className="checkbox"
                    aria-label="Select all on this page"
                    checked={table.getIsAllRowsSelected()}
                    ref={(box) => {
                      if (box) box.indeterminate = table.getIsSomeRowsSelected()
                    }}
                    onChange={table.getToggleAllRowsSelectedHandler()}
                  />
                </th>
              )}
              {columns.map((c) => (
                <Head key={c.header} column={c} sort={search.sort} />
              ))}
              {props.actions && (
                <th scope="col" className="table-actions">
                  <span className="visually-hidden">Actions</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {data
              ? table
                  .getRowModel()
                  .rows.map((row) => (
                    <Row
                      key={row.id}
                      row={row.original}
                      {...props}
                      check={
                        selection && (
                          <input
                            type="checkbox"
                            className="checkbox"
                            aria-label="Select this row"
                            checked={row.getIsSelected()}
                            onChange={row.getToggleSelectedHandler()}
                          />
                        )
                      }
                    />
                  ))
              : placeholders
                  .slice(0, search.page_size ?? PAGE_SIZE)
                  .map((n) => (
                    <SkeletonRow
                      key={n}
                      columns={columns.length + (props.actions ? 1 : 0) + (selection ? 1 : 0)}
                    />
                  ))}
          </tbody>
        </table>
      </div>
      {data && <Pagination total={data.total} search={search} />}
    </>
  )
}

function Head<T>({
  column: { header, sort, align, wideOnly, width },
  sort: now,
}: {
  column: Column<T>
  sort: string | undefined
}) {
  const up = now === sort
  const down = now === `-${sort}`
  const state = sort === undefined ? undefined : up ? 'ascending' : down ? 'descending' : 'none'
  return (
    <th
      scope="col"
      aria-sort={state}
      className={wideOnly ? 'table-wide' : undefined}
      data-align={align}
      style={{ width }}
    >
      {sort === undefined ? (
        header
      ) : (
        <Link
          to="."
          className="table-sort"
          activeOptions={{ exact: true }}
          search={
            ((old: ListSearch) =>
              defined({ ...old, page: undefined, sort: up ? `-${sort}` : sort })) as never
          }
        >
          {header}
          {up && <ArrowUp aria-hidden />}
          {down && <ArrowDown aria-hidden />}
          {!up && !down && <ChevronsUpDown className="table-sort-hint" aria-hidden />}
        </Link>
      )}
    </th>
  )
}

function Row<T>({
  row,
  columns,
  rowHref,
  actions,
  check,
}: { row: T; check: ReactNode } & Pick<Props<T>, 'columns' | 'rowHref' | 'actions'>) {
  const href = rowHref?.(row)
  return (
    <tr>
      {check && <td className="table-check">{check}</td>}
      {columns.map((c, i) => (
        <td
          key={c.header}
          data-label={c.header}
          data-align={c.align}
          className={c.wideOnly ? 'table-wide' : undefined}
        >
          <Lines sub={c.sub?.(row)}>
            {i === 0 && href ? (
              <Link to={href as string} className="table-link">
                {c.cell(row)}
              </Link>
            ) : (
              c.cell(row)
            )}
          </Lines>
        </td>
      ))}
      {actions && (
        <td className="table-actions">
          <RowActions actions={actions(row)} />
        </td>
      )}
    </tr>
  )
}

const Lines = ({ sub, children }: { sub: ReactNode; children: ReactNode }) =>
  sub === undefined ? (
    children
  ) : (
    <span className="two-lines">
      {children}
      {sub}
    </span>
  )

const SkeletonRow = ({ columns }: { columns: number }) => (
  <tr aria-hidden>
    {placeholders.slice(0, columns).map((n) => (
      <td key={n}>
        <Skeleton width={n === 0 ? 140 : 96} />
      </td>
    ))}
  </tr>
)

function StaleNotice({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="table-stale" role="alert">
      <span>
        {messageOf(error)}. What stands below may be old.
        {requestIdOf(error) && (
          <>
            {' '}
            Request <code>{requestIdOf(error)}</code>
          </>
        )}
      </span>
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}
