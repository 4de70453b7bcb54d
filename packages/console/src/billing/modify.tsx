import { CAPACITY_CHANGED, type CapacityPreview, SUBSCRIPTION_ENDED, t } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { mayWrite } from '../lib/access'
import { messageOf } from '../lib/failure'
import { accountLink } from '../lib/link-to'
import { keysOf, recordOf } from '../lib/records'
import { Processing } from '../tenants/accounts/processing'
import { Button } from '../ui/button'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { focusFirstError } from '../ui/form-shell'
import { Notice } from '../ui/notice'
import { rich } from '../ui/rich'
import { toastSuccess } from '../ui/toast'
import { BankChallenge } from './bank-challenge'
import { KeepPaid } from './block'
import { CapacityTable } from './capacity-table'
import { orderFor, quantityIssue, quantityOf, toQuantities } from './lines'
import { money } from './money'
import type { PlanFormProps } from './plan'
import { type Capacity, callsOf, endText, enforcedText, paidDevicesOf, SUSPENDED } from './sentence'
import { changeSubscription, previewChange, usePayment } from './use-payment'
import './subscription.css'

/** Changes the capacity of a paid plan. */
export function Modify({ account_sid, plan, lines }: PlanFormProps) {
  const navigate = useNavigate()
  const account = accountLink(account_sid)
  const leave = (message: string) => {
    toastSuccess(message)
    void navigate(account)
  }
  const original = toQuantities(plan.capacity)
  const [edited, setQuantities] = useState<typeof original>()
  const quantities = edited ?? original
  const [confirmingDowngrade, setConfirmingDowngrade] = useState(false)
  const formRef = useRef<HTMLFormElement>(null)
  const products = orderFor(lines, quantities, plan.capacity)

  const review = useMutation({ mutationFn: () => previewChange(products) })
  const payment = usePayment(plan, () => leave(CAPACITY_CHANGED), { ofCapacity: true })
  const downgrade = useMutation({
    mutationFn: () => changeSubscription({ action: 'downgrade-to-free' }),
    onSuccess: () => leave(SUBSCRIPTION_ENDED),
  })

  const wanted = recordOf(keysOf(quantities), (category) => {
    const line = lines.find((l) => l.category === category)
    return (line && quantityOf(line, quantities)) ?? 0
  })
  const unchanged = lines.every(
    ({ category }) => Number(quantities[category]) === plan.capacity[category],
  )
  const invalid = lines.some((line) => quantityIssue(line, quantities))
  const submit = () => {
    if (invalid) focusFirstError(formRef.current)
    else if (!review.isPending) review.mutate()
  }
  const confirm = (accepted: CapacityPreview) => {
    const { monthly_cost, prorated_cost, proration_date } = accepted
    const expected = { monthly_cost, prorated_cost, proration_date }
    review.reset()
    void payment.run(() => changeSubscription({ action: 'update-quantities', products, expected }))
  }
  const message = payment.resume
    ? undefined
    : (payment.problem ?? (review.error ? messageOf(review.error) : undefined) ?? plan.problem)
  return (
    <>
      <form
        ref={formRef}
        className="subscription-form"
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          submit()
        }}
      >
        {plan.ends && <Notice tone="info">{endText(plan.ends)}</Notice>}
        {payment.resume && <BankChallenge onAnswer={payment.resume} />}
        {plan.suspended ? (
          <Notice tone="bad">{SUSPENDED}</Notice>
        ) : (
          <CapacityTable
            lines={lines}
            quantities={quantities}
            ratio={plan.ratio}
            onChange={setQuantities}
            readOnly={!mayWrite()}
          />
        )}
        {message && (
          <Notice tone="bad">
            {message}{' '}
            <Link to="/internal/accounts/$account_sid/manage-payment" params={{ account_sid }}>
              {t('Manage Payment Info')}
            </Link>
          </Notice>
        )}
        {mayWrite() && (
          <div className="subscription-foot">
            {!plan.suspended && (
              <Button
                type="submit"
                look="primary"
                disabled={unchanged}
                busy={review.isPending || payment.state !== 'idle'}
              >
                {t('Review Changes')}
              </Button>
            )}
            <Link {...account} className="button button-quiet">
              {t('Cancel')}
            </Link>
            {plan.ends ? (
              <KeepPaid />
            ) : (
              <Button
                className="subscription-foot-end"
                onClick={() => setConfirmingDowngrade(true)}
              >
                {t('Return to free plan')}
              </Button>
            )}
          </div>
        )}
      </form>
      {review.data && (
        <Confirm
          preview={review.data}
          wanted={wanted}
          ratio={plan.ratio}
          onClose={() => review.reset()}
          onConfirm={confirm}
        />
      )}
      {confirmingDowngrade && (
        <ConfirmDialog
          open
          onClose={() => {
            downgrade.reset()
            setConfirmingDowngrade(false)
          }}
          title={t('Return to free plan')}
          confirm={t('Return to free plan')}
          busy={downgrade.isPending}
          error={downgrade.error ? messageOf(downgrade.error) : undefined}
          onConfirm={() => downgrade.mutate()}
        >
          {t(
            'Returning to the free plan will reduce your capacity to a maximum of 1 simultaneous call session and 1 registered device. Your current plan and capacity will continue through the rest of the billing cycle and your plan change will take effect at the beginning of the next billing cycle. Are you sure you want to continue?',
          )}
        </ConfirmDialog>
      )}
      {payment.state === 'busy' && <Processing />}
    </>
  )
}

/** Shows the server's quote, which the user then accepts. */
function Confirm({
  preview,
  wanted,
  ratio,
  onClose,
  onConfirm,
}: {
  preview: CapacityPreview
  wanted: Capacity
  ratio: number
  onClose: () => void
  onConfirm: (preview: CapacityPreview) => void
}) {
  const { currency, monthly_cost, prorated_cost } = preview
  const monthly = money(monthly_cost, currency)
  const enforced = enforcedText(ratio, wanted)
  const once = money(Math.abs(prorated_cost), currency)
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('Confirm changes')}
      confirm={t('Confirm')}
      look="primary"
      onConfirm={() => onConfirm(preview)}
    >
      <div className="changes">
        <p>
          {t(
            'By pressing Confirm below, your plan will be immediately adjusted to the following levels:',
          )}
        </p>
        <ul>
          <li>{callsOf(wanted)}</li>
          <li>{paidDevicesOf(ratio, wanted)}</li>
        </ul>
        {enforced && <p className="field-help">{enforced}</p>}
        {prorated_cost > 0 && (
          <p>
            {rich(
              'Your new monthly charge will be {monthly}, and you will immediately be charged a one-time prorated amount of {once} to cover the remainder of the current billing period.',
              { monthly, once },
            )}
          </p>
        )}
        {prorated_cost === 0 && (
          <p>{rich('Your monthly charge will be {monthly}.', { monthly })}</p>
        )}
        {prorated_cost < 0 && (
          <p>
            {rich(
              'Your new monthly charge will be {monthly}, and you will receive a credit of {once} on your next invoice to reflect changes made during the current billing period.',
              { monthly, once },
            )}
          </p>
        )}
      </div>
    </ConfirmDialog>
  )
}
