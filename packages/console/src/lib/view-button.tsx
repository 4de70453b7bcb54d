import { SlidersHorizontal } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useBarEnd } from '../ui/bar-end'
import { Button } from '../ui/button'
import type { ListView } from './view-columns'

const ViewPanel = lazy(async () => ({ default: (await import('./view-panel')).ViewPanel }))

/** At the end of the page's filter bar. A list without one has no view. */
export function ViewButton(props: {
  list: string
  columns: readonly { header: string }[]
  view: ListView
}) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const end = useBarEnd()
  if (!end) return null
  return createPortal(
    <>
      <Button
        ref={button}
        look="quiet"
        size="small"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <SlidersHorizontal aria-hidden />
        View
      </Button>
      <Suspense>
        {open && <ViewPanel {...props} anchor={button} onClose={() => setOpen(false)} />}
      </Suspense>
    </>,
    end,
  )
}
