import { fromServer, type ThingVerdict, t } from '@switchroom/contract'
import { timeText } from '../../ui/dates'

/** Why, and since when: `Answered 21 % of 33 outbound calls in 2 h. Since Nov 22, 2026, 13:00:00.` */
export const whyText = ({ since, reason }: Pick<ThingVerdict, 'since' | 'reason'>) =>
  since
    ? `${fromServer(reason)} ${t('Since {time}.', { time: timeText(since) })}`
    : fromServer(reason)
