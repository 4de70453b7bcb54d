import { t, webhookSecret } from '@switchroom/contract'
import { useState } from 'react'
import { accounts } from '../../lib/endpoints'
import { useApiForm } from '../../lib/form'
import { FormDialog } from '../../lib/form-dialog'
import { formLike } from '../../lib/form-like'
import { Button } from '../../ui/button'
import { copyWithToast } from '../../ui/copy'
import { toastSuccess } from '../../ui/toast'

/**
 * Replaces the secret while applications accept both. The platform signs with one at a time, so that the new one has to
 * be known to them before it is used.
 */
export function RotateWebhookSecret({
  account_sid,
  onClose,
  onRotated,
}: {
  account_sid: string
  onClose: () => void
  onRotated: (secret: string) => void
}) {
  const [made] = useState(webhookSecret)
  const form = useApiForm({
    endpoint: accounts.setWebhookSecret,
    dialog: 'webhook-secret',
    defaultValues: { webhook_secret: made },
    toSend: (body) => ({ params: { account_sid }, body }),
    onDone: (_, { webhook_secret }) => {
      onRotated(webhook_secret)
      onClose()
      toastSuccess(t('Webhooks are signed by the new secret'))
    },
  })
  const fields = formLike(form)
  return (
    <FormDialog
      form={form}
      isNew
      title={t('Rotate webhook secret')}
      submit={t('Switch to this secret')}
      submitting={t('Switching…')}
      onClose={onClose}
    >
      <ol className="webhook-secret-steps">
        <li>
          {t(
            'Add this secret to every application of the account, next to the current one. The platform’s libraries accept several.',
          )}
        </li>
        <li>
          {t(
            'When all of them run with both, switch. The platform signs with one secret at a time: with this one from the next request on.',
          )}
        </li>
        <li>{t('Remove the old one from the applications.')}</li>
      </ol>
      <fields.TextField
        name="webhook_secret"
        label={t('New secret')}
        help={t('Come back later if that takes time, and enter the secret that they have.')}
        mono
      />
      <div className="webhook-secret-actions">
        <form.Subscribe selector={(s) => s.values.webhook_secret}>
          {(secret) => (
            <Button size="small" onClick={() => void copyWithToast(secret, t('New secret'))}>
              {t('Copy {label}', { label: t('New secret') })}
            </Button>
          )}
        </form.Subscribe>
      </div>
    </FormDialog>
  )
}
