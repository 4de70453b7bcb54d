import { t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useCrumb } from '../../lib/crumb'
import { isNotFound } from '../../lib/failure'
import { linkTo } from '../../lib/link-to'
import { LoadError } from '../../lib/load-error'
import { usePhoneFormat } from '../../lib/phone-format'
import { RoutePending } from '../../lib/route-states'
import { zonedText } from '../../ui/dates'
import { PageHeader } from '../../ui/page-header'
import { EmptyState } from '../../ui/states'
import { filtersOf, idOf, type Search } from '../search'
import { CallParts, loadFirstParts } from './call'
import { CallNav } from './call-nav'
import { viewOf } from './queries'
import { titleOf } from './title'

const route = getRouteApi('/internal/recent-calls/$call_sid')

// while the call is being asked for
loadFirstParts()

export function CallPage() {
  const { call_sid } = route.useParams()
  const search: Search = route.useSearch()
  const navigate = useNavigate()
  const { data, error, refetch, isPending } = useQuery(viewOf(call_sid))
  const format = usePhoneFormat([data?.from, data?.to].filter((n) => typeof n === 'string'))
  const title = data && titleOf(data, format)
  useCrumb(title)
  const missing = isNotFound(error)
  return (
    <>
      <PageHeader title={title ?? t('Call')}>
        {data && (
          <CallNav
            id={idOf(data) ?? call_sid}
            search={search}
            call={data}
            onGo={(to) =>
              void navigate({
                ...linkTo(`/internal/recent-calls/${encodeURIComponent(to.id)}`),
                search: { ...to.search, open: to.id } as never,
              })
            }
          />
        )}
      </PageHeader>
      {isPending && <RoutePending />}
      {missing && <EmptyState text={t('Call not found, or its record has expired.')} />}
      {error && !missing && <LoadError error={error} retry={refetch} />}
      {data && (
        <>
          <p className="hint">{zonedText(data.attempted_at)}</p>
          <CallParts key={call_sid} call={data} tab={search.tab} said={filtersOf(search).said} />
        </>
      )}
    </>
  )
}
