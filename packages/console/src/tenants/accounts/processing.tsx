import { t } from '@switchroom/contract'
import { useEffect } from 'react'
import { usePopups } from '../../ui/late-popups'

/** Covers the page during an operation that must not be interrupted. */
export function Processing() {
  useEffect(() => {
    const hold = (e: BeforeUnloadEvent) => e.preventDefault()
    addEventListener('beforeunload', hold)
    return () => removeEventListener('beforeunload', hold)
  }, [])
  const popups = usePopups(true)
  return (
    popups && (
      <popups.Wait label={t('Please wait')}>
        {t(
          'Your requested changes are being processed. Please do not leave the page or hit the back button until complete.',
        )}
      </popups.Wait>
    )
  )
}
