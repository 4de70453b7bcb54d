import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { StripeElementsOptions } from '@stripe/stripe-js'
import { t } from '@switchroom/contract'
import { type RefObject, useEffect, useState } from 'react'
import { Button } from '../ui/button'
import { Notice } from '../ui/notice'
import { Skeleton } from '../ui/states'
import { useAppearance } from './appearance'
import { CardRefused } from './card-refused'
import type { PaymentScript } from './payment-script'
import './card.css'

/** Sends the card to Stripe and resolves to the payment method's id. */
export type GetPaymentMethod = () => Promise<string>

/** Stripe's card fields: no card number ever passes through this page. */
export function Card({
  script,
  currency,
  take,
}: {
  script: PaymentScript
  currency: string
  /** Set while the card fields are ready. */
  take: RefObject<GetPaymentMethod | undefined>
}) {
  const appearance = useAppearance()
  if (script.state === 'failed') return <NoScript onRetry={script.retry} />
  if (script.state === 'loading') return <Waiting />
  const options: StripeElementsOptions = {
    mode: 'setup',
    currency,
    paymentMethodCreation: 'manual',
    allowedPaymentMethodTypes: ['card'],
    appearance,
  }
  return (
    <Elements stripe={script.stripe} options={options}>
      <Fields take={take} />
    </Elements>
  )
}

const Waiting = () => (
  <div className="card-fields" role="status" aria-label={t('Loading the payment form')}>
    <Skeleton width={110} />
    <Skeleton height={38} />
    <Skeleton width={110} />
    <Skeleton height={38} />
  </div>
)

/** The cause is in the user's browser or network. */
export const NoScript = ({ onRetry }: { onRetry: () => void }) => (
  <div className="card-missing">
    <Notice tone="bad">
      {t(
        'The payment form could not be loaded from js.stripe.com. Check that you are online and that no content blocker or firewall blocks it. You have not been charged.',
      )}
    </Notice>
    <Button onClick={onRetry}>{t('Try again')}</Button>
  </div>
)

function Fields({ take }: { take: RefObject<GetPaymentMethod | undefined> }) {
  const stripe = useStripe()
  const elements = useElements()
  const [status, setStatus] = useState<'loading' | 'ready' | 'failed'>('loading')
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (!stripe || !elements || status !== 'ready') return
    take.current = async () => {
      // Stripe marks the invalid fields in its own frame
      const { error: incomplete } = await elements.submit()
      if (incomplete) throw new CardRefused(incomplete.message)
      const { error, paymentMethod } = await stripe.createPaymentMethod({ elements })
      if (error) throw new CardRefused(error.message)
      return paymentMethod.id
    }
    return () => {
      take.current = undefined
    }
  }, [stripe, elements, status, take])
  if (status === 'failed')
    return (
      <NoScript
        onRetry={() => {
          setStatus('loading')
          setTries(tries + 1)
        }}
      />
    )
  return (
    <div className="card-element">
      {status === 'loading' && <Waiting />}
      <PaymentElement
        key={tries}
        options={{
          layout: 'tabs',
          wallets: { applePay: 'never', googlePay: 'never', link: 'never' },
        }}
        onReady={() => setStatus('ready')}
        onLoadError={() => setStatus('failed')}
      />
    </div>
  )
}
