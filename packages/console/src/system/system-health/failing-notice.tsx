import { plural, t } from '@switchroom/contract'
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
        {plural(failing.length, '{parts} is failing.|{parts} are failing.', {
          parts: failing.map(labelOf).join(', '),
        })}{' '}
        <Link {...linkTo(PAGE)}>{t('System health')}</Link>
      </Notice>
    </div>
  )
}
