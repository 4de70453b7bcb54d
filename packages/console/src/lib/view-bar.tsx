import { t } from '@switchroom/contract'
import { SlidersHorizontal } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useBarEnd } from '../ui/bar-end'
import { Button } from '../ui/button'
import type { FileExport, ListView } from './view-columns'
import { ViewsMenu } from './views-menu'

const ViewPanel = lazy(async () => ({ default: (await import('./view-panel')).ViewPanel }))

type Props = {
  list: string
  columns: readonly { header: string; fileColumns?: readonly string[] }[]
  view: ListView
  fileExport: FileExport | undefined
}

/** At the end of the page's filter bar: the list's saved views and columns. A list without one has neither. */
export function ViewBar({ search, ...props }: Props & { search: object }) {
  const end = useBarEnd()
  if (!end) return null
  return createPortal(
    <>
      <ViewsMenu list={props.list} search={search} view={props.view} />
      <ViewButton {...props} />
    </>,
    end,
  )
}

function ViewButton(props: Props) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
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
        {t('Display')}
      </Button>
      <Suspense>
        {open && <ViewPanel {...props} anchor={button} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}
