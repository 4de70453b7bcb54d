import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonClass } from '../ui/button'
import { EmptyState } from '../ui/states'
import { defined } from './list-search'

/** An empty list whose filters match nothing. */
export const NoMatch = ({ what, children }: { what: string; children?: ReactNode }) => (
  <EmptyState text={`No ${what} match these filters.`}>
    <Link
      to="."
      search={({ page_size, sort, tab }) => defined({ page_size, sort, tab })}
      className={buttonClass()}
    >
      Clear filters
    </Link>
    {children}
  </EmptyState>
)
