import type { Endpoint, Sent } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { Download, Upload } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button'
import { toastError } from '../ui/toast'
import { useCapabilities } from './capabilities'
import { download } from './csv'
import { messageOf } from './failure'
import { ImportDialog } from './import-dialog'

/** Downloads all pages of the filtered list as CSV. */
export function ExportButton<E extends Endpoint & { file: string }>({
  endpoint,
  sent,
  label = 'Export',
}: {
  endpoint: E
  sent: Sent<E>
  label?: string
}) {
  const save = useMutation({
    mutationFn: () => download(endpoint, sent),
    onError: (e) => toastError(messageOf(e)),
  })
  if (!useCapabilities()) return null
  return (
    <Button look="quiet" busy={save.isPending} onClick={() => save.mutate()}>
      <Download aria-hidden />
      {label}
    </Button>
  )
}

export function ImportButton(props: {
  endpoint: Endpoint & { takesCsv: number }
  what: string
  columns: readonly string[]
  query: object
}) {
  const [open, setOpen] = useState(false)
  if (!useCapabilities()) return null
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        <Upload aria-hidden />
        Import
      </Button>
      {open && <ImportDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}
