import { t } from '@switchroom/contract'
import { type DeleteCallbacks, DeleteDialog } from '../../lib/delete-dialog'
import { lcrs } from '../../lib/endpoints'

export function DeleteLcr({
  table: { lcr_sid, name },
  done,
  ...rest
}: {
  table: { lcr_sid: string; name: string | null }
  done: string
} & DeleteCallbacks) {
  return (
    <DeleteDialog
      endpoint={lcrs.remove}
      sent={{ params: { lcr_sid } }}
      title={t('Delete routing table')}
      question={t('Are you sure you want to delete least cost routing {name}?', {
        name: name ?? '',
      })}
      done={`${done} ${name ?? ''}`.trim()}
      {...rest}
    />
  )
}
