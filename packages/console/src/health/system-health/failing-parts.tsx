import { type HealthPart, plural, t } from '@switchroom/contract'
import { Link } from '@tanstack/react-router'
import { linkTo } from '../../lib/link-to'
import { Notice } from '../../ui/notice'
import { labelOf } from './states'

export const FailingParts = ({ parts, page }: { parts: readonly HealthPart[]; page: string }) => (
  <div className="frame-notice">
    <Notice tone="warn">
      {plural(parts.length, '{parts} is failing.|{parts} are failing.', {
        parts: parts.map(labelOf).join(', '),
      })}{' '}
      <Link {...linkTo(page)}>{t('System health')}</Link>
    </Notice>
  </div>
)
