import { t } from '@switchroom/contract'
import { Card } from '../ui/card'
import { Skeleton } from '../ui/states'

/** Shown while a provider's answer is exchanged for a session. */
export const LoggingIn = () => (
  <Card title={t('Logging you in')}>
    <div role="status" aria-label={t('Logging you in')}>
      <Skeleton height={36} />
    </div>
  </Card>
)
