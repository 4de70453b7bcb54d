import { type AlertDestination, t } from '@switchroom/contract'
import { type DeleteCallbacks, DeleteDialog } from '../../lib/delete-dialog'
import { alertDestinations } from '../../lib/endpoints'

export function DeleteAlertDestination({
  destination: { alert_destination_sid, name },
  ...rest
}: {
  destination: AlertDestination
} & DeleteCallbacks) {
  return (
    <DeleteDialog
      endpoint={alertDestinations.remove}
      sent={{ params: { alert_destination_sid } }}
      title={t('Delete destination')}
      question={t(
        'Are you sure you want to delete the destination {name}? It will no longer receive alerts.',
        { name },
      )}
      done={t('Deleted destination {name}', { name })}
      {...rest}
    />
  )
}
