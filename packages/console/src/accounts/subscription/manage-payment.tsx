import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { mayWrite } from '../../lib/access'
import { queryClient } from '../../lib/api'
import { Button } from '../../ui/button'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'
import { Section } from '../../ui/section'
import { toastOk } from '../../ui/toast'
import { Processing } from '../processing'
import { Card, type TakeCard } from './card'
import { CardRefused } from './card-refused'
import { usePaymentScript } from './payment-script'
import { ownPlan, type Plan } from './plan'
import { change, usePayment } from './use-payment'
import './subscription.css'

const route = getRouteApi('/internal/accounts/$account_sid/manage-payment')
const NOT_READY = 'The payment form is not loaded yet. Your card is as it was.'

export async function load() {
  const { select: _, ...own } = ownPlan()
  await queryClient.fetchQuery({ ...own, staleTime: 0 })
}

export function ManagePayment() {
  const { account_sid } = route.useParams()
  const plan = useSuspenseQuery(ownPlan()).data
  const [changing, setChanging] = useState(false)
  const account = { to: '/internal/accounts/$account_sid/edit', params: { account_sid } } as const
  return (
    <>
      <PageHeader title="Manage Payment Information" />
      <div className="subscription-form">
        <Section title="Current Payment Information">
          {plan.card ? <CurrentCard card={plan.card} /> : <p>There is no card yet.</p>}
        </Section>
        {changing ? (
          <NewCard plan={plan} account_sid={account_sid} onClose={() => setChanging(false)} />
        ) : (
          <>
            {plan.problem && <Notice tone="bad">{plan.problem}</Notice>}
            {mayWrite() && (
              <div className="subscription-foot">
                <Button look="primary" onClick={() => setChanging(true)}>
                  Change Payment Info
                </Button>
                <Link {...account} className="button button-quiet">
                  Cancel
                </Link>
              </div>
            )}
          </>
        )}
      </div>
    </>
  )
}

const CurrentCard = ({ card }: { card: NonNullable<Plan['card']> }) => (
  <dl className="payment-card">
    <dt>Card Type:</dt>
    <dd>{card.type}</dd>
    <dt>Card Number:</dt>
    <dd className="numbers">**** **** **** {card.last4}</dd>
    <dt>Expiration:</dt>
    <dd className="numbers">
      {card.month}/{card.year}
    </dd>
  </dl>
)

function NewCard({
  plan,
  account_sid,
  onClose,
}: {
  plan: Plan
  account_sid: string
  onClose: () => void
}) {
  const navigate = useNavigate()
  const script = usePaymentScript(true)
  const take = useRef<TakeCard>(undefined)
  const { run, state, problem } = usePayment(() => {
    toastOk('Your new card is saved')
    void navigate({ to: '/internal/accounts/$account_sid/edit', params: { account_sid } })
  })
  const save = async () => {
    const card = take.current
    if (!card) throw new CardRefused(NOT_READY)
    return change({ action: 'update-payment-method', payment_method_id: await card() })
  }
  const said = problem ?? plan.problem
  return (
    <form
      className="subscription-form"
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        void run(save)
      }}
    >
      <Section title="New Payment Information">
        <Card script={script} currency="usd" take={take} />
      </Section>
      {said && <Notice tone="bad">{said}</Notice>}
      <div className="subscription-foot">
        <Button
          type="submit"
          look="primary"
          busy={state !== 'idle'}
          disabled={script.state !== 'ready'}
        >
          Save New Card
        </Button>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
      {state === 'busy' && <Processing />}
    </form>
  )
}
