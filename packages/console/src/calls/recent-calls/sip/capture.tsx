import { fromServer, type SipFinding, type SipLadder, t } from '@switchroom/contract'
import { type ReactNode, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../../ui/button'
import { Status } from '../../../ui/status'
import { Ladder } from './ladder'
import { figuresOf } from './ladder-text'

const DIRECTION_TEXT: Record<SipFinding['tone'], string> = {
  bad: t('Failed'),
  warn: t('Warning'),
  ok: 'OK',
  info: t('Note'),
}

/** A SIP capture: findings, timing and messages. */
export function Capture({ ladder, file }: { ladder: SipLadder; file: ReactNode }) {
  const { diagnosis, figures, messages, cut } = ladder
  const [opened, setOpened] = useState<number>()
  const [all, setAll] = useState(false)
  const id = useId()
  const repeats = messages.filter((m) => m.repeats !== null).length
  const show = (message: number) => {
    // rendered before this returns, so that the focus can move at once
    flushSync(() => {
      if (messages[message]?.repeats !== null) setAll(true)
      setOpened(message)
    })
    document.getElementById(`${id}${message}`)?.focus()
  }
  return (
    <div className="sip">
      {diagnosis.length > 0 && (
        <ul className="sip-findings" aria-label={t('Findings')}>
          {diagnosis.map(({ tone, text, message }) => (
            <li key={`${message} ${text}`}>
              <Status tone={tone}>{DIRECTION_TEXT[tone]}</Status>
              <p>{fromServer(text)}</p>
              {message !== null && (
                <Button
                  size="small"
                  look="quiet"
                  onClick={() => show(message)}
                  aria-label={t('Show message {message}, {label}', {
                    message: message + 1,
                    label: messages[message]?.label,
                  })}
                >
                  {t('Show')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <div className="sip-tools">
        <dl>
          {figuresOf(figures).map(({ name, text }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
          <div>
            <dt>{t('Messages')}</dt>
            <dd>{messages.length}</dd>
          </div>
        </dl>
        {repeats > 0 && (
          <label className="sip-repeats">
            <input type="checkbox" checked={all} onChange={(e) => setAll(e.target.checked)} />
            {t('Show {repeats} retransmitted', { repeats })}
          </label>
        )}
        {file}
      </div>
      {cut && (
        <p className="call-cut">{t('This capture has more messages than this page can show.')}</p>
      )}
      <Ladder ladder={ladder} all={all} opened={opened} onOpen={setOpened} id={id} />
    </div>
  )
}
