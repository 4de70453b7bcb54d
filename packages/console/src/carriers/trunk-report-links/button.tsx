import { t } from '@switchroom/contract'
import { lazy, Suspense, useState } from 'react'
import { useCapabilities } from '../../lib/use-capabilities'
import { Button } from '../../ui/button'
import type { LinksOf } from './links'

const Links = lazy(async () => ({ default: (await import('./links')).TrunkReportLinks }))

/** Opens the links to a carrier's trunk report, which only our server has. */
export function TrunkReportButton({ carrier }: { carrier: LinksOf }) {
  const isOurs = !!useCapabilities()
  const [open, setOpen] = useState(false)
  if (!isOurs) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('Trunk report')}</Button>
      {open && (
        <Suspense fallback={null}>
          <Links carrier={carrier} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
