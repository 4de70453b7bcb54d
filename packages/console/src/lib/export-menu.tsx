import { t } from '@switchroom/contract'
import { ChevronDown, Download } from 'lucide-react'
import { Button } from '../ui/button'
import { Menu } from '../ui/menu'
import type { FileSent } from './csv'
import { aboutTimes, useDownload } from './csv-buttons'
import type { Endpoint } from './endpoints'
import { useCapabilities } from './use-capabilities'

/** Downloads all pages of a filtered list, as CSV or as lines of JSON. */
export function ExportMenu<E extends Endpoint & { file: string }>({
  endpoint,
  sentAs,
}: {
  endpoint: E
  sentAs: (format: 'csv' | 'ndjson') => FileSent<E>
}) {
  const save = useDownload(endpoint)
  if (!useCapabilities()) return null
  const formats = [
    ['csv', t('As CSV')],
    ['ndjson', t('As lines of JSON')],
  ] as const
  return (
    <Menu
      trigger={
        <Button look="quiet" busy={save.isPending} title={aboutTimes(endpoint)}>
          <Download aria-hidden />
          {t('Export')}
          <ChevronDown aria-hidden />
        </Button>
      }
    >
      {({ MenuItem }) =>
        formats.map(([format, label]) => (
          <MenuItem key={format} onClick={() => save.mutate(sentAs(format))}>
            {label}
          </MenuItem>
        ))
      }
    </Menu>
  )
}
