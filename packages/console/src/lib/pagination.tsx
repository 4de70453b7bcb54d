import { t, totalText } from '@switchroom/contract'
import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { pageItems } from '../ui/page-numbers'
import { rich } from '../ui/rich'
import { Select } from '../ui/select'
import { CopyRead } from './copy-as'
import { defined, type ListSearch } from './list-search'
import { PAGE_SIZE, PAGE_SIZES } from './page-sizes'

const sizes = PAGE_SIZES.map((n) => ({ value: String(n), label: t('{n} / page', { n }) }))
// otherwise a link without search counts as active on every page
const exact = { exact: true }
/** The search of another page of the list. */
export const pageAt = (page: number) => (old: ListSearch) =>
  defined({ ...old, page: page > 1 ? page : undefined })

/** The foot of a list: total, rows per page and links to other pages. */
export function Pagination({
  list,
  search,
}: {
  /** Reply of the list endpoint. */
  list: { total: number }
  search: ListSearch
}) {
  const { total } = list
  const navigate = useNavigate()
  const page = search.page ?? 1
  const size = search.page_size ?? PAGE_SIZE
  const pages = Math.max(1, Math.ceil(total / size))
  const resize = (value: string) => {
    const page_size = Number(value) === PAGE_SIZE ? undefined : Number(value)
    void navigate({
      to: '.',
      search: (old: ListSearch) => defined({ ...old, page: undefined, page_size }),
    })
  }
  return (
    <footer className="table-foot">
      <div className="page-range">
        <span className="numbers">{totalText(total)}</span>
        <Select
          compact
          aria-label={t('Rows per page')}
          options={sizes}
          value={String(size)}
          onChange={resize}
        />
        <CopyRead data={list} />
      </div>
      <p className="table-hint" aria-hidden>
        {rich('{up} {down} rows {left} {right} actions {help} all keys', {
          up: <kbd>↑</kbd>,
          down: <kbd>↓</kbd>,
          left: <kbd>←</kbd>,
          right: <kbd>→</kbd>,
          help: <kbd>?</kbd>,
        })}
      </p>
      {pages > 1 && (
        <nav aria-label={t('Pages')}>
          <ul className="pages">
            <li>
              <Step to={Math.min(page - 1, pages)} on={page > 1} label={t('Previous page')}>
                <ChevronLeft />
              </Step>
            </li>
            {pageItems(page, pages).map((item) => (
              <li key={`${item.page}${item.jump ?? ''}`}>
                <Link
                  to="."
                  search={pageAt(item.page)}
                  className="page"
                  activeOptions={exact}
                  aria-label={
                    item.jump
                      ? t('Jump to page {page}', { page: item.page })
                      : t('Page {page}', { page: item.page })
                  }
                >
                  {item.jump ? '…' : item.page}
                </Link>
              </li>
            ))}
            <li>
              <Step to={page + 1} on={page < pages} label={t('Next page')}>
                <ChevronRight />
              </Step>
            </li>
          </ul>
        </nav>
      )}
    </footer>
  )
}

function Step({
  to,
  on,
  label,
  children,
}: {
  to: number
  on: boolean
  label: string
  children: ReactNode
}) {
  return on ? (
    <Link to="." search={pageAt(to)} className="page" activeOptions={exact} aria-label={label}>
      {children}
    </Link>
  ) : (
    <span className="page page-off" aria-hidden>
      {children}
    </span>
  )
}
