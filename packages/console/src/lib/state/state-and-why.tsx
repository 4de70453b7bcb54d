import { THING_STATES, type ThingVerdict } from '@switchroom/contract'
import { Status } from '../../ui/status'
import { STATE_TONES } from './state-tones'
import { whyText } from './why-text'

/** The state with the reason below it. */
export const StateAndWhy = ({ of }: { of: Pick<ThingVerdict, 'state' | 'since' | 'reason'> }) => (
  <span className="two-lines">
    <Status tone={STATE_TONES[of.state]}>{THING_STATES[of.state]}</Status>
    <span className="none">{whyText(of)}</span>
  </span>
)
