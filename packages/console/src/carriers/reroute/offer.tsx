import { rerouteText } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { mayWrite } from '../../lib/access'
import { Button } from '../../ui/button'
import { evidenceText, type Offered } from './evidence-text'
import { fixOf } from './queries'
import './reroute.css'

const RerouteDialog = lazy(async () => ({ default: (await import('./dialog')).RerouteDialog }))

/** Why another carrier would do better, and the button that makes it the first. */
export function RerouteOffer({ reroute, failure_sid }: { reroute: Offered; failure_sid: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <p>{evidenceText(reroute)}</p>
      {mayWrite() && (
        <Button look="primary" size="small" onClick={() => setOpen(true)}>
          {rerouteText(reroute)}
        </Button>
      )}
      {open && (
        <Suspense>
          <RerouteDialog
            reroute={reroute}
            failure_sid={failure_sid}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}

/** The same beside a carrier whose trouble is that failure; nothing where no other carrier is known to do better. */
export function RerouteOfCarrier({ failure_sid }: { failure_sid: string }) {
  const { data } = useQuery(fixOf(failure_sid))
  return (
    data?.reroute && (
      <div className="reroute">
        <RerouteOffer reroute={data.reroute} failure_sid={failure_sid} />
      </div>
    )
  )
}
