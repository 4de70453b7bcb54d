import { fromServer, plural, t, type ViewAlert, type WatchedList } from '@switchroom/contract'
import { Notice } from '../ui/notice'
import { rich } from '../ui/rich'
import { Status } from '../ui/status'
import { Time } from '../ui/time'
import { mayWrite } from './access'
import './view-alert.css'

type Words = {
  condition: Record<ViewAlert['comparison'], (n: number, minutes: number) => string>
  count: (n: number) => string
}
const WORDS: Record<WatchedList, Words> = {
  recent_calls: {
    condition: {
      more: (n, minutes) =>
        plural(
          n,
          'More than 1 call in {minutes} minutes|More than {n} calls in {minutes} minutes',
          {
            minutes,
          },
        ),
      fewer: (n, minutes) =>
        plural(
          n,
          'Fewer than 1 call in {minutes} minutes|Fewer than {n} calls in {minutes} minutes',
          {
            minutes,
          },
        ),
    },
    count: (n) => plural(n, '1 call|{n} calls'),
  },
  alerts: {
    condition: {
      more: (n, minutes) =>
        plural(
          n,
          'More than 1 alert in {minutes} minutes|More than {n} alerts in {minutes} minutes',
          {
            minutes,
          },
        ),
      fewer: (n, minutes) =>
        plural(
          n,
          'Fewer than 1 alert in {minutes} minutes|Fewer than {n} alerts in {minutes} minutes',
          {
            minutes,
          },
        ),
    },
    count: (n) => plural(n, '1 alert|{n} alerts'),
  },
}

/** How the alert of a view is: whether it fires, and what its last check found. */
export function ViewAlertState({ alert, list }: { alert: ViewAlert; list: WatchedList }) {
  const { comparison, threshold, minutes, set_by, state } = alert
  const words = WORDS[list]
  const { checked_at, counted, firing_since, fired_at, error, stopped } = state
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
          <dd>{words.condition[comparison](threshold, minutes)}</dd>
        </div>
        <div>
          <dt>{t('Last check')}</dt>
          <dd>
            <Time at={checked_at} />
            {counted !== null && `: ${words.count(counted)}`}
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
