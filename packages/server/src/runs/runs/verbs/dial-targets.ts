import { isRecord, membersOf, t } from '@switchroom/contract'
import type { Call } from '../call.ts'
import type { Members } from '../run-application.ts'

const MAX_TARGETS = 10

export type Target = { type: string; to: string; data: Members }

/** At most ten, each once, as the platform has it. */
export function targetsOf({ recorder }: Call, { target }: Members): Target[] {
  const all = [target]
    .flat()
    .filter(isRecord)
    .map((data) => ({ type: String(data.type), to: addressOf(data), data }))
    .filter(({ to }) => to !== '')
  const distinct = [...new Map(all.map((one) => [`${one.type} ${one.to}`, one])).values()]
  if (distinct.length > MAX_TARGETS)
    recorder.event(
      'warn',
      t('Only the first 10 targets are dialed. The platform drops the others.'),
    )
  return distinct.slice(0, MAX_TARGETS)
}

function addressOf({ type, number, name, sipUri }: Members) {
  const address = type === 'user' ? name : type === 'sip' ? sipUri : number
  return typeof address === 'string' ? address : ''
}

/** What `dtmfCapture` waits for, of either side. */
export const capturesOf = ({ dtmfCapture }: Members) =>
  [Array.isArray(dtmfCapture) ? dtmfCapture : Object.values(membersOf(dtmfCapture))]
    .flat(2)
    .filter((pattern) => typeof pattern === 'string' && pattern !== '')
