import { type CallEvent, fromServer } from '@switchroom/contract'
import { CircleAlert, Info, TriangleAlert } from 'lucide-react'

const ICONS = { info: Info, warn: TriangleAlert, bad: CircleAlert }

/** Anything else that happened, as a sentence, with how long it took where that matters. */
export function Event({ event: { tone, text } }: { event: Pick<CallEvent, 'tone' | 'text'> }) {
  const Icon = ICONS[tone]
  return (
    <p className="turn-happened" data-tone={tone}>
      <Icon aria-hidden />
      <span>{fromServer(text)}</span>
    </p>
  )
}
