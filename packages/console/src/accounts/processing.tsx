import { useEffect } from 'react'
import './processing.css'

/** Over everything, while something runs that must not be left. */
export function Processing() {
  useEffect(() => {
    const hold = (e: BeforeUnloadEvent) => e.preventDefault()
    addEventListener('beforeunload', hold)
    return () => removeEventListener('beforeunload', hold)
  }, [])
  return (
    <div className="processing" role="alert">
      <p>
        Your requested changes are being processed. Please do not leave the page or hit the back
        button until complete.
      </p>
    </div>
  )
}
