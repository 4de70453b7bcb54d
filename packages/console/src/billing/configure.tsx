import { t } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, redirect } from '@tanstack/react-router'
import { query, queryClient } from '../lib/api'
import { subscriptions } from '../lib/endpoints'
import { PageHeader } from '../ui/page-header'
import { EmptyState } from '../ui/states'
import { linesOf } from './lines'
import { Modify } from './modify'
import { ownPlan } from './plan'
import { Upgrade } from './upgrade'

const upgradeRoute = getRouteApi('/internal/accounts/$account_sid/subscription')
const modifyRoute = getRouteApi('/internal/accounts/$account_sid/modify-subscription')

/** Reloads the plan, so that a user who has paid in another tab is not asked to pay again. */
export async function load(params: { account_sid: string }, wanted: 'upgrade' | 'modify') {
  const { select, ...own } = ownPlan()
  const [me] = await Promise.all([
    queryClient.fetchQuery({ ...own, staleTime: 0 }),
    queryClient.ensureQueryData(query(subscriptions.prices, {})),
  ])
  const paid = select(me).type === 'paid'
  if (paid && wanted === 'upgrade')
    throw redirect({ to: '/internal/accounts/$account_sid/modify-subscription', params })
  if (!paid && wanted === 'modify')
    throw redirect({ to: '/internal/accounts/$account_sid/subscription', params })
}

function useSubscription() {
  const plan = useSuspenseQuery(ownPlan()).data
  const lines = linesOf(useSuspenseQuery(query(subscriptions.prices, {})).data)
  return { plan, lines }
}

const NothingSold = () => <EmptyState text={t('No paid plans are available yet.')} />

export function UpgradeSubscription() {
  const { account_sid } = upgradeRoute.useParams()
  const { plan, lines } = useSubscription()
  return (
    <>
      <PageHeader title={t('Upgrade your Subscription')} />
      {lines.length === 0 ? (
        <NothingSold />
      ) : (
        <Upgrade account_sid={account_sid} plan={plan} lines={lines} />
      )}
    </>
  )
}

export function ModifySubscription() {
  const { account_sid } = modifyRoute.useParams()
  const { plan, lines } = useSubscription()
  return (
    <>
      <PageHeader title={t('Configure Your Subscription')} />
      {lines.length === 0 ? (
        <NothingSold />
      ) : (
        <Modify account_sid={account_sid} plan={plan} lines={lines} />
      )}
    </>
  )
}
