import { type AuditEntry, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { query } from '../lib/api'
import { audit } from '../lib/endpoints'
import { INLINE } from '../lib/inline'
import { LoadError } from '../lib/load-error'
import { Dialog } from '../ui/dialog'
import { EmptyState, LoadingState } from '../ui/states'
import { Entry } from './entry'

/** The entry at a position of the log. `known`: the same, if it is in the list. */
export function EntryAt({
  seq,
  known,
  onClose,
}: {
  seq: number
  known: AuditEntry | undefined
  onClose: () => void
}) {
  const asked = useQuery({
    ...query(audit.list, { query: { seq, page: 1, page_size: 25 } }),
    ...INLINE,
    enabled: !known,
  })
  const entry = known ?? asked.data?.data[0]
  if (entry) return <Entry entry={entry} onClose={onClose} />
  return (
    <Dialog open wide onClose={onClose} title={t('Audit log entry')}>
      {asked.error ? (
        <LoadError error={asked.error} retry={asked.refetch} />
      ) : asked.data ? (
        <EmptyState text={t('Entry not found, or you do not have access to it.')} />
      ) : (
        <LoadingState text={t('Loading')} />
      )}
    </Dialog>
  )
}
