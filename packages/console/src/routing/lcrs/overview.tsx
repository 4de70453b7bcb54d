import { type LcrRoute, type LcrView, numberText, t } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { LastChanges } from '../../audit/last-changes'
import { mayWrite } from '../../lib/access'
import { NextStep } from '../../lib/next-step'
import { OverviewHead } from '../../lib/thing-head'
import { editHref } from '../../lib/thing-href'
import { AccountLink, CarrierLink } from '../../lib/thing-link'
import { Block, Blocks } from '../../ui/block'
import { Fact, Facts } from '../../ui/facts'
import { rich } from '../../ui/rich'
import { Sid } from '../../ui/sid'
import { Status } from '../../ui/status'
import { RouteCsv } from './csv'
import { nameOf } from './name'
import { viewOf } from './queries'
import './overview.css'

const route = getRouteApi('/internal/least-cost-routing/$lcr_sid')

export function LcrOverview() {
  const { lcr_sid: sid } = route.useParams()
  const { data: table } = useSuspenseQuery(viewOf(sid))
  const { routes } = table
  const href = editHref('lcr', sid)
  return (
    <>
      <OverviewHead
        kind="lcr"
        what={t('Routing table')}
        sid={sid}
        name={nameOf(table)}
        owner={table}
        mayEdit={mayWrite()}
      />
      {mayWrite() && (
        <NextStep
          steps={[
            table.is_active === 0 && {
              text: t('This table is inactive, so it routes no calls.'),
              action: t('Activate it'),
              href,
            },
            routes.length === 0 && {
              text: t('All calls go out through the default carrier.'),
              action: t('Add a route'),
              href,
            },
          ]}
        />
      )}
      <Block title={t('Details')}>
        <Details table={table} routes={routes.length} />
      </Block>
      <Blocks side={<LastChanges sid={sid} />}>
        <Block title={t('Routes, by first match')} action={<RouteCsv table={table} />}>
          <Routes routes={routes} />
        </Block>
      </Blocks>
    </>
  )
}

const Details = ({ table, routes }: { table: LcrView; routes: number }) => (
  <Facts inline>
    <Fact name={t('Status')}>
      <Status tone={table.is_active ? 'ok' : 'off'}>
        {table.is_active ? t('Active') : t('Inactive')}
      </Status>
    </Fact>
    <Fact name={t('Used by')}>
      {table.account_sid ? <AccountLink account_sid={table.account_sid} /> : t('All accounts')}
    </Fact>
    <Fact name={t('Routes')}>{routes}</Fact>
    <Fact name={t('Default carrier')}>
      {table.default_carrier ? (
        <CarrierLink voip_carrier_sid={table.default_carrier} />
      ) : (
        <span className="none">{t('None')}</span>
      )}
    </Fact>
    <Fact name={t('Routing table SID')}>
      <Sid sid={table.lcr_sid} />
    </Fact>
  </Facts>
)

const SHOWN = 10

/** The first routes, each with the one carrier that the platform uses. */
function Routes({ routes }: { routes: LcrRoute[] }) {
  if (routes.length === 0)
    return <p className="block-empty">{t('None but the default carrier.')}</p>
  const more = routes.length - SHOWN
  return (
    <>
      <ol className="lcr-routes">
        {routes.slice(0, SHOWN).map((r) => {
          const carrier = r.lcr_carrier_set_entries[0]?.voip_carrier_sid
          return (
            <li key={r.lcr_route_sid}>
              <code>{r.regex}</code>
              <span>
                {carrier ? <CarrierLink voip_carrier_sid={carrier} /> : t('No carrier')}
                {r.description && <span className="none"> {r.description}</span>}
              </span>
            </li>
          )
        })}
      </ol>
      {more > 0 && <p className="none">{rich('and {more} more', { more: numberText(more) })}</p>}
    </>
  )
}
