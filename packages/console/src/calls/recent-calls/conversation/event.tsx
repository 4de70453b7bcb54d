import { type CallEvent, fromServer } from '@switchroom/contract'
import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import { msText } from './conversation-text'

const ICONS = { info: Info, warn: TriangleAlert, bad: CircleAlert }

/** Anything else that happened, in a line. */
export function Event({ event: { tone, text, at, end } }: { event: CallEvent }) {
  const Icon = ICONS[tone]
  return (
    <p className="turn-happened" data-tone={tone}>
      <Icon aria-hidden />
      <span>
        {fromServer(text)}
        {end !== null && <span className="turn-length"> · {msText(Math.max(0, end - at))}</span>}
      </span>
    </p>
  )
}
