import { type CustomerReportMail, fromServer, plural, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { mayWrite } from '../../lib/access'
import { query } from '../../lib/api'
import { customerReports } from '../../lib/endpoints'
import { INLINE } from '../../lib/inline'
import { Button } from '../../ui/button'
import { dayText } from '../../ui/dates'
import { Status } from '../../ui/status'

const MailDialog = lazy(async () => ({ default: (await import('./mail-dialog')).MailDialog }))

export const mailOf = (account_sid: string) =>
  query(customerReports.mail, { params: { account_sid } })

/** A line that says if the report is mailed monthly, with a button to set it up. */
export function MailState({ account }: { account: { account_sid: string; name: string } }) {
  const mail = useQuery({ ...mailOf(account.account_sid), ...INLINE }).data
  const [open, setOpen] = useState(false)
  if (!mail) return null
  const { tone, text } = stateOf(mail)
  return (
    <div className="report-mail report-screen">
      <Status tone={tone}>{text}</Status>{' '}
      <Button size="small" look="quiet" onClick={() => setOpen(true)}>
        {mayWrite() ? t('Monthly mail') : t('Show monthly mail')}
      </Button>
      <Suspense fallback={null}>
        {open && <MailDialog account={account} mail={mail} onClose={() => setOpen(false)} />}
      </Suspense>
    </div>
  )
}

function stateOf({ recipients, last_sent, next_at, is_mail_on }: CustomerReportMail): {
  tone: 'ok' | 'bad' | 'off'
  text: string
} {
  if (!is_mail_on)
    return {
      tone: recipients.length > 0 ? 'bad' : 'off',
      text: t('This server cannot send email: set SMTP_URL to mail the report each month.'),
    }
  if (recipients.length === 0)
    return { tone: 'off', text: t('The report is not mailed to anybody yet.') }
  const failed = last_sent.find(({ problem }) => problem !== null)
  if (failed)
    return {
      tone: 'bad',
      text: t('Monthly mail to {email}: {problem}', {
        email: failed.email,
        problem: fromServer(failed.problem ?? ''),
      }),
    }
  const sent = last_sent.flatMap(({ sent_at }) => sent_at ?? []).toSorted()
  const [latest] = sent.toReversed()
  const to = plural(
    recipients.length,
    'Mailed to 1 person each month|Mailed to {n} people each month',
  )
  const next = next_at ? t('Next on {day}.', { day: dayText(next_at) }) : ''
  return {
    tone: 'ok',
    text: latest
      ? `${to}. ${t('Last sent on {day}.', { day: dayText(latest) })} ${next}`
      : `${to}. ${next}`,
  }
}
