import { type SipLadder, t } from '@switchroom/contract'
import { type CSSProperties, type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { useFollow } from '../conversation/use-follow'
import { cursorStore } from '../cursor'
import { partyText, rowsOf } from './ladder-text'
import { Message } from './message'
import { MessageRow } from './message-row'

/** The messages of a capture as a ladder diagram, or as a list on narrow screens. */
export function Ladder({
  ladder,
  all,
  opened,
  onOpen,
  id,
  recording,
}: {
  ladder: SipLadder
  /** True to show retransmissions. */
  all: boolean
  opened: number | undefined
  onOpen: (message: number | undefined) => void
  /** Prefix of the rows' ids. */
  id: string
  /** When the recording began, in milliseconds since 1970 by the clock of the capture; null if it is not played. */
  recording: number | null
}) {
  const { parties, messages, legs } = ladder
  const rows = useMemo(() => rowsOf(messages, all), [messages, all])
  const list = useRef<HTMLOListElement>(null)
  const starts = useMemo(
    () =>
      rows
        .map(({ message }, index) => ({ at: message.at / 1_000, index }))
        .sort((a, b) => a.at - b.at),
    [rows],
  )
  const [cursor] = useState(cursorStore)
  useFollow(list, starts, recording, cursor, { isFollowing: false })
  const [active, setActive] = useState(0)
  const begun = Math.min(...messages.map((m) => m.at))
  const names = parties.map(partyText)
  const at = Math.max(
    0,
    rows.findIndex(({ message }) => message.id === active),
  )
  const move = (event: KeyboardEvent, index: number) => {
    const next = rows[Math.min(rows.length - 1, Math.max(0, index))]
    if (!next) return
    event.preventDefault()
    document.getElementById(`${id}${next.message.id}`)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // the same keys scroll the text of an open message
    if (!(event.target instanceof Element && event.target.closest('[data-message]'))) return
    if (event.key === 'ArrowDown') move(event, at + 1)
    else if (event.key === 'ArrowUp') move(event, at - 1)
    else if (event.key === 'Home') move(event, 0)
    else if (event.key === 'End') move(event, rows.length - 1)
  }
  return (
    <div className="ladder-box">
      {/* React's types do not include custom properties */}
      <div className="ladder" style={{ '--lanes': parties.length } as CSSProperties}>
        <div className="ladder-head" aria-hidden>
          <span className="ladder-time" />
          <span className="ladder-names">
            {names.map((name) => (
              <span key={name}>{name}</span>
            ))}
          </span>
        </div>
        <ol ref={list} className="ladder-rows" aria-label={t('SIP messages')} onKeyDown={onKeyDown}>
          {rows.map((row, index) => {
            const { message } = row
            const isOpen = opened === message.id
            return (
              <li key={message.id} data-row={index}>
                <MessageRow
                  row={row}
                  id={`${id}${message.id}`}
                  begun={begun}
                  names={names}
                  isOpen={isOpen}
                  isFirst={index === at}
                  onFocus={() => setActive(message.id)}
                  onClick={() => onOpen(isOpen ? undefined : message.id)}
                />
                {isOpen && (
                  <Message
                    message={message}
                    names={names}
                    call_id={legs[message.leg]!.call_id}
                    labelledBy={`${id}${message.id}`}
                  />
                )}
              </li>
            )
          })}
        </ol>
      </div>
    </div>
  )
}
