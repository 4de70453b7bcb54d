import { fromServer, type SipFinding, t } from '@switchroom/contract'
import { Button } from './button'
import { Status } from './status'
import './findings.css'

type Tone = SipFinding['tone']

const TONE_TEXT: Record<Exclude<Tone, 'bad'>, string> = {
  warn: t('Warning'),
  ok: 'OK',
  info: t('Note'),
}

/** Findings of the server, each with a button that shows its place. */
export function Findings({
  findings,
  badText = t('Failed'),
  labelOf,
  onShow,
}: {
  /** `at`: the index of what shows it; null without one. */
  findings: readonly { tone: Tone; text: string; at: number | null }[]
  /** Label of the worst findings. */
  badText?: string
  /** The button's accessible name. */
  labelOf: (at: number) => string
  onShow: (at: number) => void
}) {
  if (findings.length === 0) return null
  return (
    <ul className="findings" aria-label={t('Findings')}>
      {findings.map(({ tone, text, at }) => (
        <li key={`${at} ${text}`}>
          <Status tone={tone}>{tone === 'bad' ? badText : TONE_TEXT[tone]}</Status>
          <p>{fromServer(text)}</p>
          {at !== null && (
            <Button size="small" look="quiet" onClick={() => onShow(at)} aria-label={labelOf(at)}>
              {t('Show')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
