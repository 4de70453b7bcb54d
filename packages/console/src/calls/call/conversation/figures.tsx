import { type Conversation, type Party, t } from '@switchroom/contract'
import { Button } from '../../../ui/button'
import { figuresOf } from './conversation-text'

/** The conversation in figures. One that an entry shows goes there. */
export function Figures({
  conversation,
  party,
  onShow,
}: {
  conversation: Conversation
  /** Who hung up. */
  party: Party | undefined
  onShow: (index: number) => void
}) {
  return (
    <dl className="conversation-figures">
      {figuresOf(conversation, party).map(({ name, text, entry }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {entry === undefined ? (
              text
            ) : (
              <Button
                size="small"
                aria-label={t('{time}, show the turn', { time: text })}
                onClick={() => onShow(entry)}
              >
                {text}
              </Button>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
