import { t } from '@switchroom/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Skeleton } from '../ui/states'
import { LoadError } from './load-error'

/** Shows the data of one block of an overview once loaded. Other blocks do not wait for it. */
export function BlockQuery<T>({
  query,
  lines = 3,
  children,
}: {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>
  /** How high it will be, most likely. */
  lines?: number
  children: (data: T) => ReactNode
}) {
  const { data, error, refetch } = query
  if (data !== undefined) return children(data)
  if (error) return <LoadError error={error} retry={refetch} />
  return (
    <div className="block-lines" role="status" aria-label={t('Loading')}>
      {Array.from({ length: lines }, (_, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all the same
        <Skeleton key={n} width={n % 2 ? '70%' : '90%'} height={18} />
      ))}
    </div>
  )
}
