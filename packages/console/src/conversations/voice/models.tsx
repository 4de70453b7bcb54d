import { t } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Ends, endsBefore, isoEnds } from '../../calls/call-span'
import { mayWrite, ownAccount } from '../../lib/access'
import { query } from '../../lib/api'
import { useApplicationName } from '../../lib/application-name'
import { BlockQuery } from '../../lib/block-query'
import { accountModelFigures, providerModelFigures } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { INLINE } from '../../lib/inline'
import { PlainLink } from '../../lib/plain-link'
import { Notice } from '../../ui/notice'
import { rich } from '../../ui/rich'
import { timeZone } from '../../ui/time-zone'
import { ModelFigures, type OtherModels } from './model-figures'
import { Part } from './part'
import type { Of } from './queries'
import { askedOf, type Search } from './search'

const KEPT = { ...INLINE, staleTime: Number.POSITIVE_INFINITY }

function figuresOf({ provider, account_sid }: Of, ends: Ends, application_sid: string | undefined) {
  const asked = { ...isoEnds(ends), time_zone: timeZone(), application_sid }
  return account_sid
    ? query(accountModelFigures.figures, { params: { account_sid }, query: asked })
    : query(providerModelFigures.figures, {
        params: { service_provider_sid: provider },
        query: asked,
      })
}

/** Tokens and cost of model sessions, as their own events tell: traces know none. */
export function Models({ of, search, ends }: { of: Of; search: Search; ends: Ends }) {
  const { application_sid } = search
  const figures = useQuery({
    ...figuresOf(of, ends, application_sid),
    ...KEPT,
    placeholderData: keepPreviousData,
  })
  const other = useOther(of, search, ends)
  const account_sid = search.account_sid ?? ownAccount()
  return (
    <Part title={t('Model sessions')}>
      {other.error && (
        <Notice tone="warn">
          {t('{message}. The figures cannot be compared.', { message: messageOf(other.error) })}
        </Notice>
      )}
      <BlockQuery query={figures}>
        {(data) =>
          data.calls === 0 ? (
            <p className="hint">
              {t('No events of model sessions in this period.')}{' '}
              {account_sid && mayWrite() && <ToAddress account_sid={account_sid} />}
            </p>
          ) : (
            <div aria-busy={figures.isPlaceholderData}>
              <p className="hint">
                {t(
                  'From the events of model sessions, at the prices that the account has now. What no event told is in no sum.',
                )}
              </p>
              <ModelFigures
                data={data}
                other={figures.isPlaceholderData ? undefined : other.compared}
                filter={{ account_sid: search.account_sid, application_sid }}
                provider={of.provider}
              />
            </div>
          )
        }
      </BlockQuery>
    </Part>
  )
}

const ToAddress = ({ account_sid }: { account_sid: string }) =>
  rich('To get tokens and cost, {link}.', {
    link: (
      <PlainLink href={`/internal/accounts/${encodeURIComponent(account_sid)}/model-sessions`}>
        {t('have the events of model sessions sent here')}
      </PlainLink>
    ),
  })

/** The figures to compare with, once loaded, unless there are none. */
function useOther(of: Of, search: Search, ends: Ends) {
  const { date, compare } = askedOf(search)
  const application = useApplicationName(search.with ?? '')
  const isBefore = compare === 'before'
  const enabled = isBefore || (compare === 'application' && search.with !== undefined)
  const { data, error } = useQuery({
    ...figuresOf(
      of,
      isBefore ? endsBefore(date, ends) : ends,
      isBefore ? search.application_sid : search.with,
    ),
    ...KEPT,
    enabled,
  })
  const compared: OtherModels | undefined =
    enabled && data && data.calls > 0
      ? { figures: data, application: isBefore ? undefined : application }
      : undefined
  return { compared, error: enabled ? error : null }
}
