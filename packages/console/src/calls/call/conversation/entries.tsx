import { type Conversation, type ConversationEntry, t } from '@switchroom/contract'
import { type RefObject, useCallback, useContext, useMemo } from 'react'
import { CursorContext } from '../cursor'
import { PlaybackContext, usePlayingStatus } from '../player/playback-store'
import { longestOf, serviceChanges } from './conversation-text'
import { Entry } from './entry'
import { positionOf, startOf } from './follow'
import { useRowKeys } from './use-row-keys'

type Shown = Pick<Conversation, 'began' | 'answered' | 'recording' | 'slowest'> & {
  entries: readonly ConversationEntry[]
}

/** The entries of a conversation, in order. */
export function Entries({
  conversation,
  list,
  onFocusRow,
}: {
  conversation: Shown
  list: RefObject<HTMLOListElement | null>
  onFocusRow: (index: number) => void
}) {
  const { began, answered, entries, recording, slowest } = conversation
  const { get } = useContext(PlaybackContext)
  const isReady = usePlayingStatus() === 'ready'
  const longest = useMemo(() => longestOf(entries), [entries])
  const changes = useMemo(() => serviceChanges(entries), [entries])
  const cursor = useContext(CursorContext)
  const { stop, keys } = useRowKeys(entries.length, onFocusRow, (index) => {
    // what is heard moves it
    const playing = get()
    const entry = entries[index]
    if (entry && !(playing?.status === 'ready' && playing.isPlaying)) cursor.set(startOf(entry))
  })
  const play = useCallback(
    (position: number) => {
      const playing = get()
      if (playing?.status !== 'ready') return
      playing.seek(position)
      playing.play()
    },
    [get],
  )
  return (
    <ol ref={list} className="turns" aria-label={t('Conversation')} {...keys}>
      {entries.map((entry, index) => (
        <Entry
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other name, and findings name them by it
          key={index}
          index={index}
          entry={entry}
          zero={answered ?? began}
          position={isReady && recording !== null ? positionOf(entry, recording) : undefined}
          longest={longest}
          isSlowest={index === slowest}
          isNew={changes[index]!}
          isStop={index === stop}
          onPlay={play}
        />
      ))}
    </ol>
  )
}
