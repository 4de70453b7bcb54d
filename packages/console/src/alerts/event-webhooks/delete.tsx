import { type EventSubscription, t } from '@switchroom/contract'
import { type DeleteCallbacks, DeleteDialog } from '../../lib/delete-dialog'
import { eventSubscriptions } from '../../lib/endpoints'

export function DeleteEventWebhook({
  webhook: { event_subscription_sid, name },
  ...rest
}: {
  webhook: EventSubscription
} & DeleteCallbacks) {
  return (
    <DeleteDialog
      endpoint={eventSubscriptions.remove}
      sent={{ params: { event_subscription_sid } }}
      title={t('Delete webhook')}
      question={t(
        'Are you sure you want to delete the webhook {name}? It will no longer receive events.',
        { name },
      )}
      done={t('Deleted webhook {name}', { name })}
      {...rest}
    />
  )
}
