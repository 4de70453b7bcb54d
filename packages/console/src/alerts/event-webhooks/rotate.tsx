import { plural, t } from '@switchroom/contract'
import { useState } from 'react'
import { eventSubscriptions } from '../../lib/endpoints'
import { useApiForm } from '../../lib/form'
import { FormDialog } from '../../lib/form-dialog'
import { formLike } from '../../lib/form-like'
import { TokenDialog } from '../../ui/token-dialog'

const OVERLAPS = [0, 1, 24, 72, 168].map((hours) => ({
  value: String(hours),
  label: hours === 0 ? t('Not at all') : plural(hours, '1 hour|{n} hours'),
}))

/** Makes a new signing secret. For a time both sign, so that the receiver can be changed meanwhile. */
export function Rotate({
  event_subscription_sid,
  onClose,
}: {
  event_subscription_sid: string
  onClose: () => void
}) {
  const [secret, setSecret] = useState<string>()
  const form = useApiForm({
    endpoint: eventSubscriptions.rotate,
    dialog: 'rotate',
    defaultValues: { overlap_hours: '24' },
    toSend: ({ overlap_hours }) => ({
      params: { event_subscription_sid },
      body: { overlap_hours: Number(overlap_hours) },
    }),
    onDone: (made) => setSecret(made.secret),
  })
  if (secret)
    return (
      <TokenDialog
        title={t('Here is the signing secret')}
        label={t('Signing secret')}
        token={secret}
        onClose={onClose}
      />
    )
  const fields = formLike(form)
  return (
    <FormDialog
      form={form}
      isNew
      title={t('Rotate the signing secret')}
      submit={t('Make a new secret')}
      submitting={t('Making…')}
      onClose={onClose}
    >
      <fields.SelectField
        name="overlap_hours"
        label={t('The old secret signs as well for')}
        help={t('Each delivery then has two signatures. Change the receiver meanwhile.')}
        options={OVERLAPS}
      />
    </FormDialog>
  )
}
