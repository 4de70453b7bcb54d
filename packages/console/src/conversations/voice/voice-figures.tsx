import { type VoiceFigures as Figures, HOURLY_MAX_MS, t } from '@switchroom/contract'
import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import type { Ends } from '../../calls/call-span'
import { callsHref, type FigureFilter } from '../../calls/dashboard/links'
import { mayWrite, ownAccount } from '../../lib/access'
import { PlainLink } from '../../lib/plain-link'
import { timeText, zonedText } from '../../ui/dates'
import { rich } from '../../ui/rich'
import type { Comparison } from './changes'
import { Charts } from './charts'
import { Headline } from './headline'
import { Part } from './part'
import { ResponseParts } from './parts'
import { type Sentence, sentencesOf } from './sentences'
import { endsOf } from './spans'
import { Recognizers, Vendors, Voices } from './speech-tables'
import { Applications, Versions } from './tables'
import { mainTime } from './times'
import '../../lib/table.css'

/** Figures of conversations; each links to the calls that it counts. */
export function VoiceFigures({
  data,
  other,
  filter,
  provider,
}: {
  data: Figures
  /** Figures for comparison, once loaded. */
  other: Comparison | undefined
  /** The account and application that the screen is filtered by. */
  filter: { account_sid: string | undefined; application_sid: string | undefined }
  provider: string
}) {
  const ends = endsOf(data)
  const account_sid = filter.account_sid ?? ownAccount()
  const hrefIn = (span: Ends, more: FigureFilter) => callsHref(span, { ...filter, ...more })
  const hrefOf = (more: FigureFilter) => hrefIn(ends, more)
  const isHourly = Date.parse(data.until) - Date.parse(data.from) <= HOURLY_MAX_MS
  // without any there is nothing to compare with
  const baseline = other && other.figures.calls > 0 ? other : undefined
  const shared = { data, other: baseline, hrefOf }
  return (
    <>
      <p className="hint">
        {periodText(data, other)} {t('Save a figure’s calls as a view to get alerts.')}
      </p>
      <p className="hint">
        {t('Response time: from the end of speech or the last key to the first audio.')}{' '}
        {t('Answer time: from the recognition result (or timeout, or error) to the first audio.')}
      </p>
      {mainTime(data) === 'answer' && data.answer.known > 0 && (
        <p className="hint">
          {rich(
            'The traces contain few response times. Set {option} in the {verb} verb of your applications to get them.',
            { option: <code>notifySttLatency</code>, verb: <code>config</code> },
          )}
        </p>
      )}
      <p className="hint">
        {rich(
          'Interruptions, silence and talk share are measured where the traces tell when each side spoke, which also needs {option}. Those of the caller are known to half a second.',
          { option: <code>notifySttLatency</code> },
        )}
      </p>
      {baseline && <Verdict sentences={sentencesOf(data, baseline)} />}
      <Headline {...shared} />
      <Charts times={data.times} isHourly={isHourly} measure={mainTime(data)} hrefIn={hrefIn} />
      {data.parts.length > 0 && (
        <Part title={t('Parts of response times')}>
          <ResponseParts {...shared} />
        </Part>
      )}
      {data.applications.length > 0 && <Applications {...shared} provider={provider} />}
      {data.versions.length > 0 && <Versions {...shared} provider={provider} />}
      {data.versions.length === 0 && account_sid && mayWrite() && (
        <SplitHint account_sid={account_sid} />
      )}
      <Recognizers {...shared} />
      <Voices {...shared} />
      <Vendors {...shared} />
    </>
  )
}

/** Tells where figures by version come from. */
const SplitHint = ({ account_sid }: { account_sid: string }) => (
  <p className="hint">
    {rich('Figures can be split by version of an application. {link}', {
      link: (
        <PlainLink href={`/internal/accounts/${encodeURIComponent(account_sid)}/transcripts`}>
          {t('Choose what tells versions apart')}
        </PlainLink>
      ),
    })}
  </p>
)

const ICONS = { better: CircleCheck, worse: CircleAlert }

const Verdict = ({ sentences }: { sentences: readonly Sentence[] }) => (
  <ul className="voice-verdict" aria-label={t('Comparison')}>
    {sentences.map(({ text, tone }) => {
      const Icon = tone ? ICONS[tone] : Info
      return (
        <li key={text} data-change={tone}>
          <Icon aria-hidden />
          <span>{text}</span>
        </li>
      )
    })}
  </ul>
)

/** Names the period of the figures, and what they are compared with. */
function periodText({ from, until }: Figures, other: Comparison | undefined): string {
  const values = { from: timeText(from), to: zonedText(until) }
  if (!other) return t('{from} to {to}.', values)
  const { figures, application } = other
  if (application !== undefined)
    return figures.calls === 0
      ? t('{from} to {to}, without conversations with {application} to compare with.', {
          ...values,
          application,
        })
      : t('{from} to {to}, compared with {application} in the same period.', {
          ...values,
          application,
        })
  if (figures.calls === 0)
    return t('{from} to {to}, without conversations in the period before to compare with.', values)
  return t('{from} to {to}, compared with {before} to {until}.', {
    ...values,
    before: timeText(figures.from),
    until: timeText(figures.until),
  })
}
