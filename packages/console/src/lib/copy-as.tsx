import { type ShownRequest, t } from '@switchroom/contract'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../ui/button'
import type { CopyRequest } from './copy-as/requests'
import { useCapabilities } from './use-capabilities'

const CopyPanel = lazy(() => import('./copy-as/panel'))

/** Shows requests as code in a panel, whose code loads when it opens. Other servers take other requests. */
function CopyAs({ read, version }: { read: () => Promise<ShownRequest[]>; version: unknown }) {
  const [open, setOpen] = useState(false)
  if (!useCapabilities()) return null
  return (
    <>
      <Button look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
        {t('Copy as…')}
      </Button>
      {open && (
        <Suspense>
          <CopyPanel read={read} version={version} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Copies the requests that Save would send. */
export const CopySave = ({
  requests,
  version,
}: {
  requests: () => CopyRequest[]
  version: unknown
}) => (
  <CopyAs
    version={version}
    read={async () => {
      const { shownRequest } = await import('./copy-as/requests')
      return Promise.all(requests().map(shownRequest))
    }}
  />
)

/** The request that a list was read by. */
export const CopyRead = ({ data }: { data: object }) => (
  <CopyAs
    version={data}
    read={async () => {
      const { readRequest } = await import('./copy-as/requests')
      return [readRequest(data)].filter((request) => request !== undefined)
    }}
  />
)
