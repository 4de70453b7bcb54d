import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useEffect } from 'react'
import './processing.css'

/** Covers the page during an operation that must not be interrupted. */
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
