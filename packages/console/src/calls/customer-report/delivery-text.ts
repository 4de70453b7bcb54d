import { type CustomerReportMail, fromServer, t } from '@switchroom/contract'
import { timeText } from '../../ui/dates'
import { monthText } from './period-text'

/** Delivery status of the mails to one recipient. */
export function deliveryText({ month, sent_at, problem }: CustomerReportMail['last_sent'][number]) {
  const sent =
    sent_at && month
      ? t('{month} sent {time}', { month: monthText(month), time: timeText(sent_at) })
      : t('Nothing sent yet')
  return problem ? `${sent}. ${fromServer(problem)}` : sent
}
