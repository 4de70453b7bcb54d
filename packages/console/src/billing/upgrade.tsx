import { SUBSCRIPTION_PAID, t } from '@switchroom/contract'
import { Link, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { mayWrite } from '../lib/access'
import { accountLink } from '../lib/link-to'
import { Processing } from '../tenants/accounts/processing'
import { Button } from '../ui/button'
import { focusFirstError } from '../ui/form-shell'
import { Notice } from '../ui/notice'
import { Section } from '../ui/section'
import { toastSuccess } from '../ui/toast'
import { BankChallenge } from './bank-challenge'
import { CapacityTable } from './capacity-table'
import { Card, type GetPaymentMethod } from './card'
import { CardRefused } from './card-refused'
import { orderFor, toQuantities, totalOf } from './lines'
import { money } from './money'
import { usePaymentScript } from './payment-script'
import type { PlanFormProps } from './plan'
import { changeSubscription, usePayment } from './use-payment'
import './subscription.css'

const NOTHING_PAID = { voice_call_session: 0, device: 0 }
const NOT_READY = t('The payment form has not loaded yet. You have not been charged.')

/** Upgrade from the Free plan: capacity and a card. */
export function Upgrade({ account_sid, plan, lines }: PlanFormProps) {
  const navigate = useNavigate()
  const account = accountLink(account_sid)
  const [quantities, setQuantities] = useState(() =>
    toQuantities({
      voice_call_session: Math.max(5, plan.capacity.voice_call_session),
      // the Free plan's device is included, not bought
      device: plan.type === 'free' ? 0 : plan.capacity.device,
    }),
  )
  const script = usePaymentScript(mayWrite())
  const take = useRef<GetPaymentMethod>(undefined)
  const box = useRef<HTMLFormElement>(null)
  const { run, state, problem, ordered, resume } = usePayment(plan, () => {
    toastSuccess(SUBSCRIPTION_PAID)
    void navigate(account)
  })
  const [again, setAgain] = useState(false)
  const sent = useRef('')
  const total = totalOf(lines, quantities)
  const currency = lines[0]!.price.currency
  const products = orderFor(lines, quantities, NOTHING_PAID)
  // ordered before this page was opened: only the card is missing
  const leftOpen = !!plan.problem && !ordered && !again
  const wanted = JSON.stringify(products)

  const pay = async () => {
    const card = take.current
    if (!card) throw new CardRefused(NOT_READY)
    const payment_method_id = await card()
    if (leftOpen || (ordered && sent.current === wanted))
      return changeSubscription({ action: 'update-payment-method', payment_method_id })
    sent.current = wanted
    return changeSubscription({
      action: 'upgrade-to-paid',
      payment_method_id,
      products,
      ...(total !== undefined && { expected: { monthly_cost: total } }),
    })
  }
  const submit = () => (total === undefined ? focusFirstError(box.current) : void run(pay))
  const price = total === undefined ? '' : ` ${money(total, currency)}`
  const message = resume ? undefined : (problem ?? plan.problem)
  // paid in another tab, or while this one was waiting
  if (plan.type === 'paid' && state === 'idle')
    return (
      <div className="subscription-form">
        <Notice tone="ok">{t('You are on the paid plan.')}</Notice>
        <div className="subscription-foot">
          <Link {...account} className="button button-plain">
            {t('Back to your account')}
          </Link>
        </div>
      </div>
    )
  return (
    <form
      ref={box}
      className="subscription-form"
      noValidate
      // pressing Enter in a field must not pay
      onSubmit={(e) => e.preventDefault()}
    >
      {resume && <BankChallenge onAnswer={resume} />}
      {!leftOpen && (
        <Section title={t('Capacity')}>
          <CapacityTable
            lines={lines}
            quantities={quantities}
            ratio={plan.ratio}
            onChange={setQuantities}
            readOnly={!mayWrite()}
            autoFocus={again}
          />
        </Section>
      )}
      {mayWrite() && (
        <Section title={resume ? t('Or pay with another card') : t('Payment Information')}>
          <Card script={script} currency={currency} take={take} />
        </Section>
      )}
      {message && <Notice tone="bad">{message}</Notice>}
      {mayWrite() && (
        <div className="subscription-foot">
          <Button
            onClick={submit}
            look={resume ? 'plain' : 'primary'}
            busy={state !== 'idle'}
            disabled={script.state !== 'ready'}
          >
            {leftOpen
              ? t('Pay with this card')
              : t('Pay{price} and Upgrade to Paid Plan', { price })}
          </Button>
          {leftOpen && <Button onClick={() => setAgain(true)}>{t('Change capacity')}</Button>}
          <Link {...account} className="button button-quiet">
            {t('Cancel')}
          </Link>
        </div>
      )}
      {state === 'busy' && <Processing />}
    </form>
  )
}
