import type { Recorded } from '@switchroom/contract'
import { useMemo, useRef, useState } from 'react'
import { CursorContext, cursorStore } from '../cursor'
import { Entries } from './entries'
import { startsOf } from './follow'
import { FoundWords } from './found-words'
import { Sound } from './sound'
import { useFollow } from './use-follow'
import { useFound } from './use-found'
import { showRow } from './use-row-keys'

/** Turns heard in the recording of a call that has no conversation of its own. */
export function RecordedTurns({
  entries,
  said,
  isShown,
}: {
  entries: readonly Recorded[]
  said: string | undefined
  isShown: boolean
}) {
  // times are those of the recording, which has another clock than the time axis
  const [cursor] = useState(cursorStore)
  const list = useRef<HTMLOListElement>(null)
  const [isFollowing, setIsFollowing] = useState(false)
  const starts = useMemo(() => startsOf(entries), [entries])
  useFollow(list, starts, 0, cursor, { isFollowing, isShown })
  const show = (index: number) => showRow(list.current, index)
  const found = useFound(entries, said)
  return (
    <CursorContext value={cursor}>
      <Sound isFollowing={isFollowing} onFollow={setIsFollowing} />
      <FoundWords said={said} found={found} list={list} onShow={show}>
        <Entries
          conversation={{ began: 0, answered: null, entries, recording: 0, slowest: null }}
          list={list}
          onFocusRow={show}
        />
      </FoundWords>
    </CursorContext>
  )
}
