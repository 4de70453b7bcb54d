import { numberText, t, translated } from '@switchroom/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button, buttonClass } from '../ui/button'
import { rich } from '../ui/rich'
import { Sid } from '../ui/sid'
import { EmptyState } from '../ui/states'
import { requestIdOf, sentenceOf } from './failure'
import { fitTable } from './fit-table'
import { filtersIn, type ListSearch } from './list-search'
import { setListView, useListView } from './list-view'
import { LoadError } from './load-error'
import { PAGE_SIZE } from './page-sizes'
import { Pagination, pageAt } from './pagination'
import type { RowAction } from './row-actions'
import { rowKeys } from './row-keys'
import { type Column, Head, type OpenRow, placeholders, Row, SkeletonRow } from './table-rows'
import { TryingAgain } from './trying-again'
import { useSelection } from './use-selection'
import { ViewBar } from './view-bar'
import { type FileExport, type ListView, resized, viewColumns } from './view-columns'
import '../ui/toggle.css'
import './table.css'

export type { Column } from './table-rows'

/** Selected keys, or all rows that match the filters. */
export type Selected = { keys: string[]; all: boolean; count: number }

type Props<T> = {
  /** The table's accessible name: a message in English, under which its view is kept. */
  label: string
  columns: readonly Column<T>[]
  query: Pick<
    UseQueryResult<{ data: T[]; total: number }>,
    'data' | 'error' | 'failureReason' | 'isFetching' | 'isPlaceholderData' | 'refetch'
  >
  search: ListSearch
  fileExport?: FileExport | undefined
  rowKey: (row: T) => string
  /** The row's link. It is in the first cell, and covers the whole row. */
  rowHref?: (row: T) => string | undefined
  actions?: (row: T) => RowAction[]
  /** Details that open below a row, rendered when opened. */
  detail?: (row: T) => ReactNode
  /** The open row, if that is in the URL; else each row keeps its own state. */
  openRow?: OpenRow<T>
  /** Shown if there are no rows. */
  empty: ReactNode
  /** Actions for selected rows, across pages. Without it rows cannot be selected. */
  selection?: (selected: Selected, clear: () => void) => ReactNode
  /** True if all rows that match the filters can be selected, beyond the current page. */
  selectAll?: boolean
}

/** A page of rows of a list endpoint. Its page, size and order live in the URL. */
export function Table<T extends object>(props: Props<T>) {
  const { label, columns, query, search, fileExport } = props
  const view = useListView(label)
  return (
    <>
      <ViewBar list={label} columns={columns} search={search} view={view} fileExport={fileExport} />
      {/* once it has failed, the rows or their place say so, while it is polled too */}
      <TryingAgain reason={query.isFetching && !query.error ? query.failureReason : null} />
      <Page {...props} view={view} />
    </>
  )
}

function Page<T extends object>({ view, ...props }: Props<T> & { view: ListView }) {
  const { label, query, search, rowKey, selection } = props
  const columns = viewColumns(props.columns, view)
  const { data, error } = query
  const rows = data?.data
  const total = data?.total ?? 0
  const filters = filtersIn(search)
  const selected = useSelection((rows ?? []).map(rowKey), JSON.stringify(filters))
  const { keys, all, clear } = selected

  if (data && data.total === 0 && !error) return <div className="table-box">{props.empty}</div>
  if (rows?.length === 0 && !error && !query.isPlaceholderData)
    return (
      <>
        <div className="table-box">
          <EmptyState text={t('There are no more rows on this page.')}>
            <Link to="." search={pageAt(1)} className={buttonClass()}>
              {t('Go to the first page')}
            </Link>
          </EmptyState>
        </div>
        <Pagination list={data!} search={search} />
      </>
    )
  if (!data && error)
    return (
      <div className="table-box">
        <LoadError error={error} retry={query.refetch} />
      </div>
    )
  return (
    <>
      {error && <StaleNotice error={error} onRetry={() => void query.refetch()} />}
      {selection && keys.length > 0 && (
        <div className="table-selection" role="toolbar" aria-label={t('Selected rows')}>
          <span className="numbers">
            {all
              ? t('All {total} selected', { total: numberText(total) })
              : t('{keys} selected', { keys: numberText(keys.length) })}
          </span>
          {props.selectAll && !all && selected.wholePage && total > keys.length && (
            <Button look="quiet" size="small" onClick={selected.selectAll}>
              {rich('Select all {total}', { total: numberText(total) })}
            </Button>
          )}
          {selection({ keys, all, count: all ? total : keys.length }, clear)}
          <Button look="quiet" size="small" onClick={clear}>
            {t('Clear selection')}
          </Button>
        </div>
      )}
      <div className="table-box" ref={fitTable} aria-busy={!data || query.isPlaceholderData}>
        <table
          className={view.compact ? 'table table-compact' : 'table'}
          aria-label={translated(label)}
        >
          <thead>
            <tr>
              {selection && (
                <th scope="col" className="table-check">
                  <input
                    type="checkbox"
                    className="checkbox"
                    aria-label={t('Select all on this page')}
                    ref={(box) => {
                      if (box) box.indeterminate = keys.length > 0 && !selected.wholePage
                    }}
                    {...selected.pageBox}
                  />
                </th>
              )}
              {columns.map((c) => (
                <Head
                  key={c.header}
                  column={c}
                  sort={search.sort}
                  onResize={(width) => setListView(label, resized(view, c.header, width))}
                />
              ))}
              {props.actions && (
                <th scope="col" className="table-actions">
                  <span className="visually-hidden">{t('Actions')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody ref={rowKeys}>
            {data
              ? data.data.map((row) => (
                  <Row
                    key={rowKey(row)}
                    row={row}
                    {...props}
                    columns={columns}
                    check={
                      selection && (
                        <input
                          type="checkbox"
                          className="checkbox"
                          aria-label={t('Select this row')}
                          aria-keyshortcuts="x"
                          {...selected.boxOf(rowKey(row))}
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
      {data && <Pagination list={data} search={search} />}
    </>
  )
}

function StaleNotice({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="table-stale" role="alert">
      <span>
        {t('{message} The rows below may be out of date.', { message: sentenceOf(error) })}
        {requestIdOf(error) && (
          <> {rich('Request {sid}', { sid: <Sid sid={requestIdOf(error) ?? ''} /> })}</>
        )}
      </span>
      <Button size="small" onClick={onRetry}>
        {t('Try again')}
      </Button>
    </div>
  )
}
