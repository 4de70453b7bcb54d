import { accounts } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { mayWrite } from '../lib/access'
import { send } from '../lib/api'
import { messageOf } from '../lib/failure'
import { Button } from '../ui/button'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { CopyBox } from '../ui/copy-box'
import { Field } from '../ui/field'
import { Section } from '../ui/section'
import { toastOk } from '../ui/toast'
import './webhook-secret.css'

// as long whatever the secret is
const MASKED = '•'.repeat(24)

/** What signs this account's webhooks. Shown when asked for, and only then. */
export function WebhookSecret({ account_sid, secret }: { account_sid: string; secret: string }) {
  const [shown, setShown] = useState(false)
  const [asking, setAsking] = useState(false)
  const regenerate = useMutation({
    mutationFn: () =>
      send(accounts.webhookSecret, { params: { account_sid }, query: { regenerate: true } }),
    onSuccess: () => {
      setAsking(false)
      toastOk('Webhook signing secret was successfully generated')
    },
  })
  return (
    <Section
      title="Webhook secret"
      about="Signs every webhook request, so that your server can check where it comes from."
    >
      {shown ? (
        <CopyBox label="Webhook secret" value={secret} secret />
      ) : (
        <Field label="Webhook secret">
          {({ id }) => (
            <output id={id} className="webhook-secret">
              {MASKED}
            </output>
          )}
        </Field>
      )}
      <div className="webhook-secret-actions">
        <Button size="small" onClick={() => setShown(!shown)}>
          {shown ? 'Hide secret' : 'Reveal secret'}
        </Button>
        {mayWrite() && (
          <Button size="small" onClick={() => setAsking(true)}>
            Generate new secret
          </Button>
        )}
      </div>
      {asking && (
        <ConfirmDialog
          open
          onClose={() => setAsking(false)}
          title="Generate new secret"
          confirm="Generate new secret"
          busy={regenerate.isPending}
          error={regenerate.error ? messageOf(regenerate.error) : undefined}
          onConfirm={() => regenerate.mutate()}
        >
          Confirm generating a new webhook signing secret. Note: this will immediately invalidate
          the old webhook signing secret.
        </ConfirmDialog>
      )}
    </Section>
  )
}
