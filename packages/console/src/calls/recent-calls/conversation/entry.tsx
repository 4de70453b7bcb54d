import { type ConversationEntry, t } from '@switchroom/contract'
import { Play } from 'lucide-react'
import { memo } from 'react'
import { IconButton } from '../../../ui/button'
import { durationText } from '../../call-text'
import { timeText } from './conversation-text'
import { Event } from './event'
import { Heard } from './heard'
import { ResponseBar } from './response-bar'
import { Said } from './said'

const whoOf = (entry: ConversationEntry) => {
  if (entry.kind === 'event') return undefined
  if (entry.kind === 'said') return t('Application')
  return entry.side === 'called' ? t('Called party') : t('Caller')
}

/** One row of a conversation. Thousands of them render again only if they change. */
export const Entry = memo(function Entry({
  entry,
  zero,
  position,
  longest,
  isSlowest,
  isStop,
  onPlay,
}: {
  entry: ConversationEntry
  /** From when the time in the call is counted. */
  zero: number
  /** Seconds from the start of the recording; undefined if it cannot be heard there. */
  position: number | undefined
  longest: number
  isSlowest: boolean
  /** Whether the tab key stops here. */
  isStop: boolean
  onPlay: (position: number) => void
}) {
  const who = whoOf(entry)
  return (
    <li className={`turn turn-${entry.kind}`} tabIndex={isStop ? 0 : -1}>
      <div className="turn-box">
        <p className="turn-head">
          {who && <strong>{who}</strong>}
          <span className="turn-time">{timeText(entry.at, zero)}</span>
          {position !== undefined && (
            <IconButton
              label={t('Play from {clock}', { clock: durationText(position) })}
              className="turn-play"
              onClick={() => onPlay(position)}
            >
              <Play />
            </IconButton>
          )}
        </p>
        {entry.kind === 'heard' && <Heard heard={entry} />}
        {entry.kind === 'said' && <Said said={entry} />}
        {entry.kind === 'event' && <Event event={entry} />}
      </div>
      {entry.kind === 'heard' && entry.response && (
        <ResponseBar response={entry.response} longest={longest} isSlowest={isSlowest} />
      )}
    </li>
  )
})
