import { type CustomerReportMail, LOCALE, MAX_REPORT_RECIPIENTS, t } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { mayWrite } from '../../lib/access'
import { send } from '../../lib/api'
import { customerReports } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { useApiForm } from '../../lib/form'
import { FormDialog } from '../../lib/form-dialog'
import { Button } from '../../ui/button'
import { Dialog, DialogFoot } from '../../ui/dialog'
import { Notice } from '../../ui/notice'
import { timeZone } from '../../ui/time-zone'
import { toastSuccess } from '../../ui/toast'
import { zoneOptions } from '../../ui/zone-options'
import { deliveryText } from './delivery-text'
import { SHORTENED } from './links'

type Mail = CustomerReportMail & { version?: string | undefined }
type Props = {
  account: { account_sid: string; name: string }
  mail: Mail
  onClose: () => void
}

const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' },
]

const valuesOf = ({ recipients, time_zone, language, hides_numbers }: Mail) => ({
  recipients: recipients.join('\n'),
  ...{ time_zone, language: language as string, hides_numbers },
})

/** Defaults before the first recipient is set: time zone and language of the user. */
const suggested = (mail: Mail): Mail =>
  mail.recipients.length > 0
    ? mail
    : { ...mail, time_zone: timeZone(), language: LOCALE.startsWith('de') ? 'de' : 'en' }

/** Recipients, time zone and language of the monthly report. */
export const MailDialog = (props: Props) => (mayWrite() ? <Edit {...props} /> : <Read {...props} />)

function Read({ mail, onClose }: Props) {
  return (
    <Dialog open onClose={onClose} title={t('Monthly mail')}>
      <div className="dialog-body">
        {mail.recipients.length === 0 && <p>{t('The report is not mailed to anybody yet.')}</p>}
        <Deliveries mail={mail} />
        <DialogFoot>
          <Button onClick={onClose}>{t('Close')}</Button>
        </DialogFoot>
      </div>
    </Dialog>
  )
}

const Deliveries = ({ mail: { last_sent } }: { mail: Mail }) =>
  last_sent.length > 0 && (
    <ul className="report-deliveries" aria-label={t('Sent so far')}>
      {last_sent.map((one) => (
        <li key={one.email}>
          <strong>{one.email}</strong>: {deliveryText(one)}
        </li>
      ))}
    </ul>
  )

function Edit({ account: { account_sid }, mail, onClose }: Props) {
  const form = useApiForm({
    endpoint: customerReports.updateMail,
    dialog: 'customer-report-mail',
    defaultValues: valuesOf(suggested(mail)),
    edits: { version: mail.version, valuesOf },
    toSend: ({ recipients, time_zone, language, hides_numbers }) => ({
      params: { account_sid },
      body: {
        recipients: recipients.split(/[\s,;]+/).filter(Boolean),
        time_zone,
        language: language as Mail['language'],
        hides_numbers,
      },
    }),
    // an address among others
    fieldFor: ([name]) => [name!],
    onDone: () => {
      toastSuccess(t('Monthly mail updated'))
      onClose()
    },
  })
  const now = useMutation({
    mutationFn: () => send(customerReports.sendMail, { params: { account_sid } }),
    onSuccess: ({ sent_to }) => toastSuccess(t('Sent to {email}', { email: sent_to })),
  })
  return (
    <FormDialog
      form={form}
      title={t('Monthly mail')}
      submit={t('Save')}
      submitting={t('Saving…')}
      onClose={onClose}
    >
      <p>
        {t(
          'The report of the month before is mailed on the first day of each month at 7 in the morning: its figures, and a link to the report that works for 30 days. Each mail can be unsubscribed from.',
        )}
      </p>
      {!mail.is_mail_on && (
        <Notice tone="warn">
          {t('This server cannot send email: set SMTP_URL to mail the report each month.')}
        </Notice>
      )}
      <form.TextArea
        name="recipients"
        label={t('Recipients')}
        optional
        help={t('One email address per line, {n} at most. Without any, nothing is sent.', {
          n: MAX_REPORT_RECIPIENTS,
        })}
      />
      <form.ComboboxField
        name="time_zone"
        label={t('Time zone')}
        options={zoneOptions().slice(1)}
        help={t('Defines where a month begins, and when the mail is sent.')}
      />
      <form.SelectField name="language" label={t('Language')} options={LANGUAGES} />
      <form.Checkbox name="hides_numbers" label={t('Shorten phone numbers')} help={SHORTENED} />
      <Deliveries mail={mail} />
      {now.error && <Notice tone="bad">{messageOf(now.error)}</Notice>}
      <Button
        type="button"
        size="small"
        busy={now.isPending}
        disabled={!mail.is_mail_on}
        onClick={() => now.mutate()}
      >
        {t('Send me last month now')}
      </Button>
    </FormDialog>
  )
}
