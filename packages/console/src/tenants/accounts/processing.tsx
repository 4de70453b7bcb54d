import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useEffect } from 'react'
import './processing.css'

/** Over everything, while something runs that must not be left: what is behind it cannot be reached. */
export function Processing() {
  useEffect(() => {
    const hold = (e: BeforeUnloadEvent) => e.preventDefault()
    addEventListener('beforeunload', hold)
    return () => removeEventListener('beforeunload', hold)
  }, [])
  return (
    <AlertDialog.Root open>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="scrim" />
        <AlertDialog.Popup className="processing" aria-label="Please wait">
          <AlertDialog.Description>
            Your requested changes are being processed. Please do not leave the page or hit the back
            button until complete.
          </AlertDialog.Description>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
