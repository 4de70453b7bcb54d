import { type EventSubscription, fromServer, t } from '@switchroom/contract'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import './event-webhooks.css'

/** Delivery state of a webhook: working, or failing and since when. */
export function WebhookState({ webhook: w }: { webhook: EventSubscription }) {
  const error = w.disabled_reason ?? w.last_error
  return (
    <span className="two-lines">
      <span>
        <Status tone={!w.is_active ? 'off' : w.last_error ? 'bad' : 'ok'}>
          {!w.is_active ? t('Inactive') : w.last_error ? t('Failing') : t('Active')}
        </Status>{' '}
        <span className="none">
          <Time at={w.last_tried_at} none={t('Nothing sent yet')} />
        </span>
      </span>
      {error && <span className="event-error">{fromServer(error)}</span>}
    </span>
  )
}
