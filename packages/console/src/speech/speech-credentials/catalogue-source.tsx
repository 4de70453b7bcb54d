import { type CatalogueWithSource, fromServer, t } from '@switchroom/contract'
import { rich } from '../../ui/rich'
import { Time } from '../../ui/time'

/** Names the source of a vendor's list: the vendor, a cache or our own. */
export function CatalogueSource({ of }: { of: CatalogueWithSource | undefined }) {
  switch (of?.source) {
    case 'live':
      return <>{t('Live list from the vendor.')}</>
    case 'cached': {
      const { fetched_at = null, reason } = of
      const time = <Time at={fetched_at} none={t('earlier')} />
      return (
        <>
          {reason
            ? rich('Cached list from the vendor, {time}: {reason}', { time, reason })
            : rich('Cached list from the vendor, {time}', { time })}
        </>
      )
    }
    case 'built-in':
      return (
        <>
          {of.reason
            ? t('Built-in list: {reason}', { reason: fromServer(of.reason) })
            : t('Built-in list.')}
        </>
      )
    default:
      return null
  }
}
