import { CUSTOMER_REPORT_PATH, type ReportPeriod, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mayWrite } from '../../lib/access'
import { query } from '../../lib/api'
import { DeleteDialog } from '../../lib/delete-dialog'
import { customerReports } from '../../lib/endpoints'
import { useApiForm } from '../../lib/form'
import { FormDialog } from '../../lib/form-dialog'
import { formLike } from '../../lib/form-like'
import { LinkFields, MadeLink, ReportLinksDialog } from '../../lib/report-links'
import { rich } from '../../ui/rich'
import { periodText } from './period-text'

type Props = {
  account: { account_sid: string; name: string }
  period: ReportPeriod
  time_zone: string
  onClose: () => void
}

/** Lists the links to an account's reports, creates one for the period on screen, and revokes them. */
export function CustomerReportLinks({ onClose, ...props }: Props) {
  const { account_sid, name } = props.account
  return (
    <ReportLinksDialog
      title={t('Links to reports')}
      intro={rich(
        'A page for people at {name}, without a log-in: the report of one period, with its list of calls. Whoever has the link can open it until it ends.',
        { name },
      )}
      list={useQuery(query(customerReports.links, { params: { account_sid } }))}
      keyOf={(link) => link.customer_report_link_sid}
      about={{ name: t('Period'), of: (link) => periodText(link) }}
      mayChange={mayWrite()}
      newLink={(back) => <NewLink {...props} onClose={back} />}
      revoke={({ customer_report_link_sid }, dialog) => (
        <DeleteDialog
          endpoint={customerReports.revokeLink}
          sent={{ params: { customer_report_link_sid } }}
          {...dialog}
        />
      )}
      onClose={onClose}
    />
  )
}

/** Creates a link to a period and shows it once. */
function NewLink({ account: { account_sid }, period, time_zone, onClose }: Props) {
  const [token, setToken] = useState<string>()
  const form = useApiForm({
    endpoint: customerReports.createLink,
    dialog: 'customer-report-link',
    defaultValues: { label: '', days: '7', hides_numbers: true },
    toSend: ({ label, days, hides_numbers }) => ({
      params: { account_sid },
      body: { ...period, time_zone, label, days: Number(days), hides_numbers },
    }),
    onDone: (made) => setToken(made.token),
  })
  if (token) return <MadeLink path={CUSTOMER_REPORT_PATH} token={token} onClose={onClose} />
  const fields = formLike(form)
  return (
    <FormDialog
      form={form}
      isNew
      title={t('Make a link to {period}', { period: periodText(period) })}
      submit={t('Make link')}
      submitting={t('Making link…')}
      onClose={onClose}
    >
      <LinkFields form={fields} />
      <fields.Checkbox name="hides_numbers" label={t('Shorten phone numbers')} help={SHORTENED} />
    </FormDialog>
  )
}

/** Hint that explains how numbers are shortened. */
export const SHORTENED = t(
  'Numbers of callers and called parties show only the country code and the last two digits. The account’s own numbers are shown in full.',
)
