import { type ModelTurn, t } from '@switchroom/contract'
import { LongText } from '../../../ui/long-text'
import { Status } from '../../../ui/status'
import { modelFacts } from './conversation-text'
import { Event } from './event'
import { modelEvent, modelWords } from './model-text'

/** A turn from within a session with a language model. */
export function ModelText({ turn }: { turn: ModelTurn }) {
  const { text, tool, is_interrupted } = turn
  const event = modelEvent(turn)
  const facts = modelFacts(turn)
  return (
    <>
      {event ? (
        <Event event={event} />
      ) : tool || text === null ? (
        <p className={tool ? undefined : 'turn-facts'}>{modelWords(turn)}</p>
      ) : (
        <LongText text={text} />
      )}
      {tool?.arguments && <p className="turn-url">{tool.arguments}</p>}
      {tool?.result && <p className="turn-url">{t('Result: {text}', { text: tool.result })}</p>}
      {is_interrupted && (
        <p>
          <Status tone="info">{t('Interrupted')}</Status>
        </p>
      )}
      {facts.length > 0 && <p className="turn-facts">{facts.join(' · ')}</p>}
    </>
  )
}
