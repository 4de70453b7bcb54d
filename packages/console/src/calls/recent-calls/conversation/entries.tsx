import { type Conversation, t } from '@switchroom/contract'
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useContext,
  useMemo,
  useState,
} from 'react'
import { PlaybackContext, usePlayingStatus } from '../player/playback-store'
import { longestOf } from './conversation-text'
import { Entry } from './entry'
import { positionOf } from './follow'

const STEPS: Record<string, (from: number, last: number) => number> = {
  ArrowDown: (from, last) => Math.min(last, from + 1),
  ArrowUp: (from) => Math.max(0, from - 1),
  Home: () => 0,
  End: (_, last) => last,
}

/** The index of the row that an event comes from. */
const rowOf = ({ currentTarget, target }: { currentTarget: Element; target: EventTarget }) =>
  [...currentTarget.children].findIndex((row) => target instanceof Node && row.contains(target))

/** What was said and what happened, in order. */
export function Entries({
  conversation,
  list,
  onFocusRow,
}: {
  conversation: Conversation
  list: RefObject<HTMLOListElement | null>
  onFocusRow: (index: number) => void
}) {
  const { began, answered, entries, recording, slowest } = conversation
  const { get } = useContext(PlaybackContext)
  const isReady = usePlayingStatus() === 'ready'
  const longest = useMemo(() => longestOf(entries), [entries])
  const [stop, setStop] = useState(0)
  const play = useCallback(
    (position: number) => {
      const playing = get()
      if (playing?.status !== 'ready') return
      playing.seek(position)
      playing.play()
    },
    [get],
  )
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    onFocusRow(step(rowOf(event), entries.length - 1))
  }
  const onFocus = (event: FocusEvent) => setStop(rowOf(event))
  return (
    <ol
      ref={list}
      className="turns"
      aria-label={t('Conversation')}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
    >
      {entries.map((entry, index) => (
        <Entry
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other name, and findings name them by it
          key={index}
          entry={entry}
          zero={answered ?? began}
          position={isReady && recording !== null ? positionOf(entry, recording) : undefined}
          longest={longest}
          isSlowest={index === slowest}
          isStop={index === stop}
          onPlay={play}
        />
      ))}
    </ol>
  )
}
