import { THING_STATES, type ThingVerdict } from '@switchroom/contract'
import type { ReactNode } from 'react'
import { Status } from '../../ui/status'
import { Tooltip } from '../../ui/tooltip'
import { STATE_TONES } from './state-tones'
import { whyText } from './why-text'
import './state.css'

type Shown = Pick<ThingVerdict, 'state' | 'since' | 'reason'>

/** The state as a word, with the reason on hover and focus. */
export const State = ({ of }: { of: Shown }) => (
  <Tooltip text={whyText(of)}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the reason must be reachable by keyboard */}
    <span className="state-word" tabIndex={0}>
      <Status tone={STATE_TONES[of.state]}>{THING_STATES[of.state]}</Status>
    </span>
  </Tooltip>
)

/** A name, with the state of what it names if something is wrong. */
export const withTrouble = (name: ReactNode, trouble: Shown | undefined) =>
  trouble ? (
    <span className="with-trouble">
      {name} <State of={trouble} />
    </span>
  ) : (
    name
  )
