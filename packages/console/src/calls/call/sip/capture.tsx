import { type SipLadder, t } from '@switchroom/contract'
import { type ReactNode, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { Findings } from '../../../ui/findings'
import { Ladder } from './ladder'
import { figuresOf } from './ladder-text'
import sheet from './sip.css?url'

/** A SIP capture: findings, timing and messages. */
export function Capture({
  ladder,
  file,
  recording = null,
}: {
  ladder: SipLadder
  file: ReactNode
  /** When a recording that is played began, as the ladder has it. */
  recording?: number | null
}) {
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
      <link rel="stylesheet" href={sheet} precedence="page" />
      <Findings
        findings={diagnosis.map(({ tone, text, message }) => ({ tone, text, at: message }))}
        labelOf={(at) =>
          t('Show message {message}, {label}', { message: at + 1, label: messages[at]?.label })
        }
        onShow={show}
      />
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
      <Ladder
        ladder={ladder}
        all={all}
        opened={opened}
        onOpen={setOpened}
        id={id}
        recording={recording}
      />
    </div>
  )
}
