import { type AccountView, t } from '@switchroom/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { mayWrite } from '../lib/access'
import { query } from '../lib/api'
import { config } from '../lib/config'
import { subscriptions } from '../lib/endpoints'
import { messageOf } from '../lib/failure'
import { LoadError } from '../lib/load-error'
import { Button, buttonClass } from '../ui/button'
import { Notice } from '../ui/notice'
import { Section } from '../ui/section'
import { Skeleton } from '../ui/states'
import { toastError, toastSuccess } from '../ui/toast'
import { Invoices } from './invoices'
import { ownPlan } from './plan'
import { endText, enforcedText, type Plan, SUSPENDED, sentence } from './sentence'
import { changeSubscription } from './use-payment'
import './block.css'

/** Plan and invoices, for users of the account. */
export function Subscription({ account }: { account: AccountView }) {
  const plan = useQuery(ownPlan())
  const paid = plan.data?.type === 'paid'
  const bill = useQuery({
    ...query(subscriptions.upcomingInvoice, {}),
    enabled: paid && !plan.data?.ends,
  })
  const inForce = plan.data?.type === 'paid' && !plan.data.suspended ? plan.data : undefined
  const enforced = inForce && enforcedText(inForce.ratio, inForce.capacity)
  return (
    <div className="subscription">
      <Section title={t('Your Subscription')}>
        {plan.data ? (
          <>
            {/* a suspended plan has no capacity */}
            {!plan.data.suspended && (
              <p>
                {sentence(plan.data, bill.data)}
                {/* as long as what follows, so that the buttons below stay where they are */}
                {bill.isLoading && (
                  <>
                    {' '}
                    <Skeleton width={260} />
                  </>
                )}
              </p>
            )}
            {enforced && <p className="field-help">{enforced}</p>}
            <State account_sid={account.account_sid} plan={plan.data} />
          </>
        ) : plan.error ? (
          <LoadError error={plan.error} retry={plan.refetch} />
        ) : (
          <div role="status" aria-label={t('Loading your subscription')}>
            <Skeleton width="80%" />
          </div>
        )}
      </Section>
      {account.stripe_customer_id && <Invoices />}
    </div>
  )
}

function State({ account_sid, plan }: { account_sid: string; plan: Plan }) {
  const paid = plan.type === 'paid'
  const params = { account_sid }
  const look = (primary: boolean) => buttonClass(primary ? 'primary' : 'plain')
  return (
    <>
      {plan.ends && <Notice tone="info">{endText(plan.ends)}</Notice>}
      {plan.suspended && <Notice tone="bad">{SUSPENDED}</Notice>}
      {plan.problem && <Notice tone="bad">{plan.problem}</Notice>}
      {mayWrite() && config.STRIPE_PUBLISHABLE_KEY && (
        <div className="subscription-actions">
          {paid ? (
            <>
              <Link
                to="/internal/accounts/$account_sid/manage-payment"
                params={params}
                className={look(!!plan.problem)}
              >
                {t('Manage Payment Info')}
              </Link>
              <Link
                to="/internal/accounts/$account_sid/modify-subscription"
                params={params}
                className={look(false)}
              >
                {t('Modify my subscription')}
              </Link>
              {plan.ends && <KeepPaid />}
            </>
          ) : (
            <Link
              to="/internal/accounts/$account_sid/subscription"
              params={params}
              className={look(true)}
            >
              {plan.problem ? t('Finish your payment') : t('Upgrade to a paid subscription')}
            </Link>
          )}
        </div>
      )}
    </>
  )
}

/** Cancels a downgrade that has not taken effect yet. */
export function KeepPaid() {
  const keep = useMutation({
    mutationFn: () => changeSubscription({ action: 'keep-paid-plan' }),
    onSuccess: () => toastSuccess(t('You stay on the paid plan')),
    onError: (e) => toastError(messageOf(e)),
  })
  return (
    <Button busy={keep.isPending} onClick={() => keep.mutate()}>
      {t('Keep my paid plan')}
    </Button>
  )
}
