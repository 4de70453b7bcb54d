import { TRUNK_REPORT_PATH, t } from '@switchroom/contract'
import { useState } from 'react'
import { trunkReportLinks } from '../../lib/endpoints'
import { useApiForm } from '../../lib/form'
import { FormDialog } from '../../lib/form-dialog'
import { formLike } from '../../lib/form-like'
import { LinkFields, MadeLink } from '../../lib/report-links'

/** Makes a link and shows it once. */
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
  if (token) return <MadeLink path={TRUNK_REPORT_PATH} token={token} onClose={onClose} />
  return (
    <FormDialog
      form={form}
      isNew
      title={t('Make a link')}
      submit={t('Make link')}
      submitting={t('Making link…')}
      onClose={onClose}
    >
      <LinkFields form={formLike(form)} />
    </FormDialog>
  )
}
