import { t } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { mayWrite } from '../../lib/access'
import { send } from '../../lib/api'
import { isSwitchroom } from '../../lib/config'
import { accounts } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { Button } from '../../ui/button'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { CopyBox } from '../../ui/copy-box'
import { Field } from '../../ui/field'
import { Section } from '../../ui/section'
import { toastError, toastSuccess } from '../../ui/toast'
import './webhook-secret.css'

const RotateWebhookSecret = lazy(async () => ({
  default: (await import('./rotate-webhook-secret')).RotateWebhookSecret,
}))

// the same length for every secret
const MASKED = '•'.repeat(24)

/**
 * The secret that signs the account's webhooks. Revealing it is a separate request, which the server records
 * in its audit log.
 */
export function WebhookSecret({ account_sid }: { account_sid: string }) {
  const [revealed, setRevealed] = useState<string>()
  const reveal = useMutation({
    mutationFn: () => send(accounts.webhookSecret, { params: { account_sid }, query: {} }),
    onSuccess: ({ webhook_secret }) => setRevealed(webhook_secret),
    onError: (e) => toastError(messageOf(e)),
  })
  const [confirming, setConfirming] = useState(false)
  const [rotating, setRotating] = useState(false)
  const regenerate = useMutation({
    mutationFn: () =>
      send(accounts.webhookSecret, { params: { account_sid }, query: { regenerate: true } }),
    onSuccess: ({ webhook_secret }) => {
      setConfirming(false)
      if (revealed) setRevealed(webhook_secret)
      toastSuccess(t('Webhook signing secret was successfully generated'))
    },
  })
  return (
    <Section
      title={t('Webhook secret')}
      about={t('Signs every webhook request, so your server can verify where it comes from.')}
    >
      {revealed ? (
        <CopyBox label={t('Webhook secret')} value={revealed} secret />
      ) : (
        <Field label={t('Webhook secret')}>
          {({ id }) => (
            <output id={id} className="webhook-secret">
              {MASKED}
            </output>
          )}
        </Field>
      )}
      <div className="webhook-secret-actions">
        {mayWrite() && (
          <>
            <Button
              size="small"
              busy={reveal.isPending}
              onClick={() => (revealed ? setRevealed(undefined) : reveal.mutate())}
            >
              {revealed ? t('Hide secret') : t('Reveal secret')}
            </Button>
            {isSwitchroom() && (
              <Button size="small" onClick={() => setRotating(true)}>
                {t('Rotate…')}
              </Button>
            )}
            <Button size="small" onClick={() => setConfirming(true)}>
              {t('Generate new secret')}
            </Button>
          </>
        )}
      </div>
      {rotating && (
        <Suspense>
          <RotateWebhookSecret
            account_sid={account_sid}
            onClose={() => setRotating(false)}
            onRotated={(secret) => revealed && setRevealed(secret)}
          />
        </Suspense>
      )}
      {confirming && (
        <ConfirmDialog
          open
          onClose={() => setConfirming(false)}
          title={t('Generate new secret')}
          confirm={t('Generate new secret')}
          busy={regenerate.isPending}
          error={regenerate.error ? messageOf(regenerate.error) : undefined}
          onConfirm={() => regenerate.mutate()}
        >
          {t(
            'Confirm generating a new webhook signing secret. Note: this will immediately invalidate the old webhook signing secret.',
          )}
        </ConfirmDialog>
      )}
    </Section>
  )
}
