import { plural, TRUNK_REPORT_PATH, t } from '@switchroom/contract'
import { useState } from 'react'
import { trunkReportLinks } from '../../lib/endpoints'
import { FormDialog, useApiForm } from '../../lib/form'
import { formLike } from '../../lib/form-like'
import { TokenDialog } from '../../ui/token-dialog'

const DAYS = [1, 7, 14, 30].map((days) => ({
  value: String(days),
  label: plural(days, 'In a day|In {n} days'),
}))

/** Makes a link and shows it once: only a digest of its token is stored. */
export function NewLink({
  voip_carrier_sid,
  onClose,
}: {
  voip_carrier_sid: string
  onClose: () => void
}) {
  const [token, setToken] = useState<string>()
  const form = useApiForm({
    endpoint: trunkReportLinks.create,
    dialog: 'trunk-report-link',
    defaultValues: { label: '', days: '7' },
    toSend: ({ label, days }) => ({
      params: { voip_carrier_sid },
      body: { label, days: Number(days) },
    }),
    onDone: (made) => setToken(made.token),
  })
  if (token)
    return (
      <TokenDialog
        title={t('Here is the link')}
        label={t('Link')}
        token={`${location.origin}${TRUNK_REPORT_PATH}#${token}`}
        onClose={onClose}
      />
    )
  const fields = formLike(form)
  return (
    <FormDialog
      form={form}
      isNew
      title={t('Make a link')}
      submit={t('Make link')}
      submitting={t('Making link…')}
      onClose={onClose}
    >
      <fields.AppField name="label">
        {(f) => <f.TextField label={t('For')} help={t('Whom you send it to.')} maxLength={100} />}
      </fields.AppField>
      <fields.AppField name="days">
        {(f) => <f.SelectField label={t('Ends')} options={DAYS} />}
      </fields.AppField>
    </FormDialog>
  )
}
