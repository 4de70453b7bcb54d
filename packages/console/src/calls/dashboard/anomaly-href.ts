import type { CallAnomaly } from '@switchroom/contract'
import { callsHref, type FigureFilter } from './links'

const FILTERS: Record<CallAnomaly['kind'], (id: string) => FigureFilter> = {
  carrier: (trunk) => ({ trunk }),
  application: (application_sid) => ({ application_sid }),
  account: (account_sid) => ({ account_sid }),
  prefix: (prefix) => ({ prefix, direction: 'outbound' }),
}
const COUNTED: Record<CallAnomaly['measure'], FigureFilter> = {
  answered: { answered: 'known' },
  fewer_calls: {},
  more_calls: {},
  time_to_answer: { answered: 'true' },
}

/** The calls that an anomaly counts. */
export const anomalyHref = (
  { kind, id, direction, measure, start, end }: CallAnomaly,
  account_sid: string | undefined,
) =>
  callsHref(
    { start: Date.parse(start), end: Date.parse(end) },
    {
      account_sid,
      ...FILTERS[kind](id),
      ...(direction && { direction }),
      ...COUNTED[measure],
    },
  )
