import { t } from '@switchroom/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonClass } from '../ui/button'
import { EmptyState } from '../ui/states'
import { defined } from './list-search'

export const ClearFilters = () => (
  <Link
    to="."
    search={({ page_size, sort, tab }) => defined({ page_size, sort, tab })}
    className={buttonClass()}
  >
    {t('Clear filters')}
  </Link>
)

/** An empty list whose filters match nothing. */
export const NoMatch = ({ text, children }: { text: string; children?: ReactNode }) => (
  <EmptyState text={text}>
    <ClearFilters />
    {children}
  </EmptyState>
)
