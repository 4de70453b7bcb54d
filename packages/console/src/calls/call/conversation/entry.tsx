import { type ConversationEntry, durationText, t } from '@switchroom/contract'
import { Play } from 'lucide-react'
import { memo } from 'react'
import { IconButton } from '../../../ui/button'
import { EntryBody, type EntryBodyProps } from './entry-body'
import { modelEvent } from './model-text'

/** Look of a row. Events of a model session look like others. */
const lookOf = (entry: ConversationEntry) =>
  entry.kind === 'model' && modelEvent(entry) ? 'event' : entry.kind

/** One row of a conversation. Thousands of them render again only if they change. */
export const Entry = memo(function Entry({
  index,
  position,
  isStop,
  onPlay,
  ...body
}: EntryBodyProps & {
  index: number
  /** Seconds from the start of the recording; undefined if it cannot be heard there. */
  position: number | undefined
  /** True if the tab key stops here. */
  isStop: boolean
  onPlay: (position: number) => void
}) {
  return (
    <li className={`turn turn-${lookOf(body.entry)}`} data-row={index} tabIndex={isStop ? 0 : -1}>
      <EntryBody {...body}>
        {position !== undefined && (
          <IconButton
            label={t('Play from {clock}', { clock: durationText(position) })}
            className="turn-play"
            onClick={() => onPlay(position)}
          >
            <Play />
          </IconButton>
        )}
      </EntryBody>
    </li>
  )
})
