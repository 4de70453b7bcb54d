import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { atLeast } from '../../lib/access'
import { query } from '../../lib/api'
import { isSwitchroom } from '../../lib/config'
import { systemHealth } from '../../lib/endpoints'

const REFRESH_MS = 30_000
const PAGE = '/internal/system-health'

// the names of all parts, of which few are failing
const FailingParts = lazy(async () => ({ default: (await import('./failing-parts')).FailingParts }))

/** Tells administrators on every other page that a part is failing. */
export function FailingNotice() {
  const { pathname } = useLocation()
  const isShown = atLeast('admin') && isSwitchroom() && pathname !== PAGE
  return isShown ? <Failing /> : null
}

function Failing() {
  const { data } = useQuery({
    ...query(systemHealth.view, {}),
    refetchInterval: REFRESH_MS,
    retry: false,
    meta: { background: true },
  })
  const failing = data?.parts.filter(({ state }) => state === 'failing') ?? []
  if (failing.length === 0) return null
  return (
    <Suspense>
      <FailingParts parts={failing} page={PAGE} />
    </Suspense>
  )
}
