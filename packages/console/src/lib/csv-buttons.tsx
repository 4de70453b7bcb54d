import { t } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { Download, Upload } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../ui/button'
import { toastError } from '../ui/toast'
import type { FileSent } from './csv'
import type { applications, clients, Endpoint, phoneNumbers, voipCarriers } from './endpoints'
import { messageOf } from './failure'
import { filePreferences } from './file-preferences'
import { filtersIn, type ListSearch } from './list-search'
import { useCapabilities } from './use-capabilities'
import { useCurrentProvider } from './use-provider'

const ImportDialog = lazy(async () => ({
  default: (await import('./import-dialog')).ImportDialog,
}))

/** Files are read by programs, so their times are those on screen only for people who prefer that. */
const WITH_TIMES = ['audit-log.csv', 'recent-calls.csv']

export const aboutTimes = ({ file }: { file: string }) =>
  WITH_TIMES.includes(file) && filePreferences().file_times !== 'own'
    ? t('Times in the file are UTC')
    : undefined

export const useDownload = <E extends Endpoint & { file: string }>(endpoint: E) =>
  useMutation({
    mutationFn: async (sent: FileSent<E>) => (await import('./csv')).download(endpoint, sent),
    onError: (e) => toastError(messageOf(e)),
  })

/** Downloads all pages of the filtered list as CSV. */
export function ExportButton<E extends Endpoint & { file: string }>({
  endpoint,
  sent,
  label = t('Export'),
  size = 'normal',
}: {
  endpoint: E
  sent: FileSent<E>
  label?: string
  size?: 'normal' | 'small'
}) {
  const save = useDownload(endpoint)
  if (!useCapabilities()) return null
  return (
    <Button
      look="quiet"
      size={size}
      busy={save.isPending}
      title={aboutTimes(endpoint)}
      onClick={() => save.mutate(sent)}
    >
      <Download aria-hidden />
      {label}
    </Button>
  )
}

export function ImportButton({
  size = 'normal',
  ...props
}: {
  endpoint: Endpoint & { takesCsv: number }
  title: string
  imported: (rows: number) => string
  columns: readonly string[]
  params?: object
  query?: object
  most?: number | undefined
  note?: string | undefined
  size?: 'normal' | 'small'
}) {
  const [open, setOpen] = useState(false)
  if (!useCapabilities()) return null
  return (
    <>
      <Button look="quiet" size={size} onClick={() => setOpen(true)}>
        <Upload aria-hidden />
        {t('Import')}
      </Button>
      <Suspense>{open && <ImportDialog {...props} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}

/** Exports a list of the current provider as it is filtered, and imports rows into it. */
export function CsvButtons({
  endpoints,
  title,
  imported,
  columns,
  search,
  mayImport,
  most,
  note,
}: {
  endpoints: typeof applications | typeof clients | typeof phoneNumbers | typeof voipCarriers
  title: string
  imported: (rows: number) => string
  columns: readonly string[]
  search: ListSearch & { account_sid?: string | undefined }
  mayImport: boolean
  most?: number
  note?: string
}) {
  const service_provider_sid = useCurrentProvider()
  const filters = filtersIn(search)
  const isFiltered = Object.values(filters).some((value) => value)
  return (
    <>
      <ExportButton
        endpoint={endpoints.export}
        sent={{ query: { service_provider_sid, ...filters } }}
        label={isFiltered ? t('Export filtered') : t('Export all')}
      />
      {mayImport && (
        <ImportButton
          endpoint={endpoints.import}
          title={title}
          imported={imported}
          columns={columns}
          query={{ service_provider_sid }}
          most={most}
          note={note}
        />
      )}
    </>
  )
}
