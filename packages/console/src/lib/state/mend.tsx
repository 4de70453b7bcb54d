import { fromServer, type ThingVerdict, t } from '@switchroom/contract'
import { PlainLink } from '../plain-link'
import { whyText } from './why-text'
import './mend.css'

/** The suggested fix, and further problems. */
export function Mend({ verdict: { mend, failure_sid, findings } }: { verdict: ThingVerdict }) {
  const [, ...others] = findings
  return (
    <>
      {mend && (
        <p className="state-mend">
          {fromServer(mend)}{' '}
          {failure_sid && (
            <PlainLink href={`/internal/failures?${new URLSearchParams({ open: failure_sid })}`}>
              {t('Open failure')}
            </PlainLink>
          )}
        </p>
      )}
      {others.length > 0 && (
        <details>
          <summary>{t('Also found ({n})', { n: others.length })}</summary>
          <ul className="state-findings">
            {others.map((finding) => (
              <li key={`${finding.state} ${finding.reason}`}>{whyText(finding)}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
