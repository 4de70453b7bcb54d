import { type ResponseTime, t } from '@switchroom/contract'
import { type CSSProperties, Fragment } from 'react'
import { Badge } from '../../../ui/status'
import { msText, partText, responseNotes, spentOn } from './conversation-text'

/** How long the caller waited for an answer, and for what. */
export function ResponseBar({
  response,
  longest,
  isSlowest,
}: {
  response: ResponseTime
  /** The milliseconds of a full bar, the same for all of a call. */
  longest: number
  isSlowest: boolean
}) {
  const { parts, ms } = response
  const notes = responseNotes(response)
  const share = longest > 0 ? spentOn(response) / longest : 0
  return (
    <div className="response">
      <div className="response-line">
        {/* React's types do not include custom properties */}
        <span className="response-bar" style={{ '--share': share } as CSSProperties} aria-hidden>
          {parts.map(({ part, ms }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a part can come twice
            <span key={i} data-part={part} style={{ flexGrow: ms }} />
          ))}
        </span>
        {ms !== null && (
          <span className="response-total">
            <span className="visually-hidden">{t('Response time')} </span>
            {msText(ms)}
          </span>
        )}
        {isSlowest && <Badge tone="warn">{t('Slowest')}</Badge>}
      </div>
      <p className="response-parts">
        {parts.map(({ part, ms }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part can come twice
          <Fragment key={i}>
            {i > 0 && ' · '}
            <span className="response-part">
              <span className="response-swatch" data-part={part} aria-hidden />
              {partText(part, ms)}
            </span>
          </Fragment>
        ))}
        {notes.map((note, i) => (
          <span key={note}>
            {i + parts.length > 0 && ' · '}
            {note}
          </span>
        ))}
      </p>
    </div>
  )
}
