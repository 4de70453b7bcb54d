import { fromServer, t, type ViewAlert, type WatchedList } from '@switchroom/contract'
import { Notice } from '../ui/notice'
import { rich } from '../ui/rich'
import { Status } from '../ui/status'
import { Time } from '../ui/time'
import { mayWrite } from './access'
import { conditionText, foundText } from './view-alert-text'
import './view-alert.css'

/** How the alert of a view is: whether it fires, and what its last check found. */
export function ViewAlertState({ alert, list }: { alert: ViewAlert; list: WatchedList }) {
  const { measure, set_by, state } = alert
  const { checked_at, counted, whole, firing_since, fired_at, error, stopped } = state
  return (
    <div className="view-alert-state">
      {stopped && (
        <Notice tone="bad">
          {t('Stopped: {reason}.', { reason: fromServer(stopped) })}{' '}
          {mayWrite() && t('Save the alert to go on with your rights.')}
        </Notice>
      )}
      {error && (
        <Notice tone="warn">
          {t('The last check failed: {error}. It is repeated.', { error: fromServer(error) })}
        </Notice>
      )}
      <dl className="view-alert-facts">
        <div>
          <dt>{t('Status')}</dt>
          <dd>
            {stopped ? (
              <Status tone="off">{t('Stopped')}</Status>
            ) : firing_since ? (
              rich('{status} since {time}', {
                status: <Status tone="bad">{t('Firing')}</Status>,
                time: <Time at={firing_since} />,
              })
            ) : (
              <Status tone={checked_at ? 'ok' : 'off'}>
                {checked_at ? t('Not firing') : t('Not checked yet')}
              </Status>
            )}
          </dd>
        </div>
        <div>
          <dt>{t('Condition')}</dt>
          <dd>{conditionText(alert, list)}</dd>
        </div>
        <div>
          <dt>{t('Last check')}</dt>
          <dd>
            <Time at={checked_at} />
            {counted !== null && `: ${foundText(measure, counted, whole, list)}`}
          </dd>
        </div>
        <div>
          <dt>{t('Last alert')}</dt>
          <dd>
            <Time at={fired_at} />
          </dd>
        </div>
        <div>
          <dt>{t('Set by')}</dt>
          <dd>{set_by ?? t('A deleted user')}</dd>
        </div>
      </dl>
    </div>
  )
}
