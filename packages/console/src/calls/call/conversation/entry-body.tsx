import type { ConversationEntry } from '@switchroom/contract'
import type { ReactNode } from 'react'
import { LongText } from '../../../ui/long-text'
import { timeText, whoOf } from './conversation-text'
import { Event } from './event'
import { HeardText } from './heard'
import { ModelText } from './model'
import { ResponseBar } from './response-bar'
import { SaidText } from './said'
import { FromRecording } from './words'

export type EntryBodyProps = {
  entry: ConversationEntry
  /** From when the time in the call is counted. */
  zero: number
  /** The milliseconds of a full response bar. */
  longest: number
  isSlowest: boolean
  /** True to name the speech service: it differs from the one before. */
  isNew?: boolean
}

/** Who said what and when, and how long the answer took. Children come beside the time. */
export function EntryBody({
  entry,
  zero,
  longest,
  isSlowest,
  isNew = true,
  children,
}: EntryBodyProps & { children?: ReactNode }) {
  const who = whoOf(entry)
  return (
    <>
      <div
        className="turn-box"
        data-side={entry.kind === 'recorded' || entry.kind === 'model' ? entry.side : undefined}
      >
        <p className="turn-head">
          {who && <strong>{who}</strong>}
          <span className="turn-time">{timeText(entry.at, zero)}</span>
          {entry.kind === 'recorded' && <FromRecording />}
          {children}
        </p>
        {entry.kind === 'heard' && <HeardText heard={entry} isNew={isNew} />}
        {entry.kind === 'said' && <SaidText said={entry} isNew={isNew} />}
        {entry.kind === 'recorded' && <LongText text={entry.text} />}
        {entry.kind === 'model' && <ModelText turn={entry} />}
        {entry.kind === 'event' && <Event event={entry} />}
      </div>
      {entry.kind === 'heard' && entry.response && (
        <ResponseBar response={entry.response} longest={longest} isSlowest={isSlowest} />
      )}
    </>
  )
}
