import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { atLeast } from '../../lib/access'
import { query } from '../../lib/api'
import { config } from '../../lib/config'
import { systemHealth } from '../../lib/endpoints'
import { linkTo } from '../../lib/link-to'
import { Notice } from '../../ui/notice'
import { labelOf } from './states'

const REFRESH_MS = 30_000
const PAGE = '/internal/system-health'

/** Tells administrators on every other page that a part is failing. */
export function FailingNotice() {
  const { pathname } = useLocation()
  const isShown = atLeast('admin') && !!config.capabilities && pathname !== PAGE
  return isShown ? <FailingParts /> : null
}

function FailingParts() {
  const { data } = useQuery({
    ...query(systemHealth.view, {}),
    refetchInterval: REFRESH_MS,
    retry: false,
    meta: { background: true },
  })
  const failing = data?.parts.filter(({ state }) => state === 'failing') ?? []
  if (failing.length === 0) return null
  return (
    <div className="frame-notice">
      <Notice tone="warn">
        {failing.map(labelOf).join(', ')} {failing.length === 1 ? 'is' : 'are'} failing.{' '}
        <Link to={linkTo(PAGE)}>System health</Link>
      </Notice>
    </div>
  )
}
