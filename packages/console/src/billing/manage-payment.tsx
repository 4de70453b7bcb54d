import { SUBSCRIPTION_PAID, t } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { mayWrite } from '../lib/access'
import { queryClient } from '../lib/api'
import { accountLink } from '../lib/link-to'
import { Processing } from '../tenants/accounts/processing'
import { Button } from '../ui/button'
import { Notice } from '../ui/notice'
import { PageHeader } from '../ui/page-header'
import { Section } from '../ui/section'
import { toastSuccess } from '../ui/toast'
import { BankChallenge } from './bank-challenge'
import { Card, type GetPaymentMethod } from './card'
import { CardRefused } from './card-refused'
import { usePaymentScript } from './payment-script'
import { ownPlan } from './plan'
import type { Plan } from './sentence'
import { changeSubscription, usePayment } from './use-payment'
import './subscription.css'

const route = getRouteApi('/internal/accounts/$account_sid/manage-payment')
const NOT_READY = t('The payment form has not loaded yet. Your card is unchanged.')

export async function load() {
  const { select: _, ...own } = ownPlan()
  await queryClient.fetchQuery({ ...own, staleTime: 0 })
}

export function ManagePayment() {
  const { account_sid } = route.useParams()
  const plan = useSuspenseQuery(ownPlan()).data
  const navigate = useNavigate()
  const account = accountLink(account_sid)
  // undefined: not opened yet
  const [changing, setChanging] = useState<boolean>()
  const payment = usePayment(plan, () => {
    toastSuccess(changing ? t('Card saved') : SUBSCRIPTION_PAID)
    void navigate(account)
  })
  const message = payment.resume ? undefined : (payment.problem ?? plan.problem)
  return (
    <>
      <PageHeader title={t('Manage Payment Information')} />
      <div className="subscription-form">
        {payment.resume && <BankChallenge onAnswer={payment.resume} />}
        <Section title={t('Current payment information')}>
          {plan.card ? <CurrentCard card={plan.card} /> : <p>{t('No card on file.')}</p>}
        </Section>
        {changing ? (
          <NewCard payment={payment} message={message} onClose={() => setChanging(false)} />
        ) : (
          <>
            {message && <Notice tone="bad">{message}</Notice>}
            {mayWrite() && (
              <div className="subscription-foot">
                <Button
                  autoFocus={changing === false}
                  look={payment.resume ? 'plain' : 'primary'}
                  onClick={() => setChanging(true)}
                >
                  {t('Change Payment Info')}
                </Button>
                <Link {...account} className="button button-quiet">
                  {t('Cancel')}
                </Link>
              </div>
            )}
          </>
        )}
        {payment.state === 'busy' && <Processing />}
      </div>
    </>
  )
}

const CurrentCard = ({ card }: { card: NonNullable<Plan['card']> }) => (
  <dl className="payment-card">
    <dt>{t('Card Type:')}</dt>
    <dd>{card.type}</dd>
    <dt>{t('Card Number:')}</dt>
    <dd className="numbers">**** **** **** {card.last4}</dd>
    <dt>{t('Expiration:')}</dt>
    <dd className="numbers">
      {card.month}/{card.year}
    </dd>
  </dl>
)

function NewCard({
  payment,
  message,
  onClose,
}: {
  payment: ReturnType<typeof usePayment>
  message: string | undefined
  onClose: () => void
}) {
  const script = usePaymentScript(true)
  const take = useRef<GetPaymentMethod>(undefined)
  const box = useRef<HTMLFormElement>(null)
  // the card fields are in a frame that has not loaded yet
  useEffect(() => box.current?.focus(), [])
  const save = async () => {
    const card = take.current
    if (!card) throw new CardRefused(NOT_READY)
    return changeSubscription({ action: 'update-payment-method', payment_method_id: await card() })
  }
  return (
    <form
      ref={box}
      tabIndex={-1}
      aria-label={t('New payment information')}
      className="subscription-form"
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        void payment.run(save)
      }}
    >
      <Section title={t('New payment information')}>
        <Card script={script} currency="usd" take={take} />
      </Section>
      {message && <Notice tone="bad">{message}</Notice>}
      <div className="subscription-foot">
        <Button
          type="submit"
          look="primary"
          busy={payment.state !== 'idle'}
          disabled={script.state !== 'ready'}
        >
          {t('Save New Card')}
        </Button>
        <Button look="quiet" onClick={onClose}>
          {t('Cancel')}
        </Button>
      </div>
    </form>
  )
}
