import { fromServer, type RunStep, t } from '@switchroom/contract'
import {
  CircleAlert,
  Info,
  type LucideIcon,
  Mic,
  Pause,
  PhoneCall,
  PhoneOff,
  TriangleAlert,
} from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { LongText } from '../../ui/long-text'
import { PressedKeys } from '../../ui/pressed-keys'
import { Status } from '../../ui/status'
import { Exchanged } from './exchanged'
import { HearButton } from './hear-button'
import {
  answererText,
  answerText,
  askedText,
  clockText,
  endCode,
  endFacts,
  loopText,
  secondsText,
} from './run-text'
import { isSsml, spokenText } from './spoken-text'
import { stepId } from './step-id'

type Side = 'caller' | 'called'
type Of<K extends RunStep['kind']> = Extract<RunStep, { kind: K }>
const TONES = { info: Info, warn: TriangleAlert, bad: CircleAlert }

/** One row of a run. Hundreds of them render again only if they change. */
export const Step = memo(function Step({
  step,
  index,
  side,
}: {
  step: RunStep
  index: number
  side: Side
}) {
  const id = stepId(index)
  switch (step.kind) {
    case 'said':
      return <Said id={id} step={step} index={index} />
    case 'played':
      return <Played id={id} step={step} />
    case 'answered':
      return <Answered id={id} step={step} side={side} />
    case 'request':
    case 'command':
      return (
        <li id={id} className="turn run-exchange" tabIndex={-1}>
          <Exchanged step={step} />
        </li>
      )
    case 'paused':
      return (
        <Happened id={id} at={step.at} icon={Pause}>
          {t('Pause of {time}', { time: secondsText(step.ms) })}
        </Happened>
      )
    case 'asked':
      return (
        <Happened id={id} at={step.at} icon={step.question.targets.length > 0 ? PhoneCall : Mic}>
          {askedText(step.question)}
        </Happened>
      )
    case 'event':
      return (
        <Happened id={id} at={step.at} icon={TONES[step.tone]} tone={step.tone}>
          {fromServer(step.text)}
        </Happened>
      )
    case 'ended':
      return <Ended id={id} step={step} />
  }
})

const At = ({ at }: { at: number }) => <span className="turn-time">{clockText(at)}</span>

/** Anything but words, as a sentence. */
const Happened = ({
  id,
  at,
  icon: Icon,
  tone = 'info',
  children,
}: {
  id: string
  at: number
  icon: LucideIcon
  tone?: 'info' | 'warn' | 'bad'
  children: ReactNode
}) => (
  <li id={id} className="turn turn-event" tabIndex={-1}>
    <div className="turn-box">
      <p className="turn-head">
        <At at={at} />
      </p>
      <p className="turn-happened" data-tone={tone}>
        <Icon aria-hidden />
        <span dir="auto">{children}</span>
      </p>
    </div>
  </li>
)

/** A prompt that the application plays to somebody. */
const Turn = ({
  id,
  step,
  facts,
  action,
  children,
}: {
  id: string
  step: Of<'said' | 'played'>
  facts: readonly (string | null | false)[]
  action?: ReactNode
  children: ReactNode
}) => {
  const told = [
    step.side === 'called' && t('To the called party'),
    ...facts,
    loopText(step.loop),
  ].filter(Boolean)
  return (
    <li id={id} className="turn turn-said" tabIndex={-1}>
      <div className="turn-box">
        <p className="turn-head">
          <strong>{t('Application')}</strong>
          <At at={step.at} />
          {action}
        </p>
        {children}
        {told.length > 0 && <p className="turn-facts">{told.join(' · ')}</p>}
      </div>
    </li>
  )
}

const Said = ({ id, step, index }: { id: string; step: Of<'said'>; index: number }) => {
  const { text, vendor, label, voice, language } = step
  return (
    <Turn
      id={id}
      step={step}
      facts={[
        vendor && (label ? `${vendor} (${label})` : vendor),
        voice,
        language,
        text !== null && isSsml(text) && 'SSML',
      ]}
      action={<HearButton prompt={step} index={index} />}
    >
      {text === null ? (
        <p className="turn-facts">{t('Streamed speech')}</p>
      ) : (
        <LongText text={spokenText(text) || text} />
      )}
    </Turn>
  )
}

const Played = ({ id, step }: { id: string; step: Of<'played'> }) => (
  <Turn id={id} step={step} facts={[t('Sound file')]}>
    <p className="turn-url">{step.url}</p>
  </Turn>
)

function Answered({
  id,
  step: { at, answer },
  side,
}: {
  id: string
  step: Of<'answered'>
  side: Side
}) {
  return (
    <li id={id} className="turn turn-heard" tabIndex={-1}>
      <div className="turn-box">
        <p className="turn-head">
          <strong>{answererText(answer, side)}</strong>
          <At at={at} />
        </p>
        {answer.kind === 'digits' ? (
          <PressedKeys digits={answer.digits} />
        ) : (
          <LongText text={answerText(answer)} />
        )}
        {answer.kind === 'low_confidence' && (
          <p>
            <Status tone="warn">{t('Low confidence')}</Status>
          </p>
        )}
        {answer.kind === 'tool_call' && <p className="turn-url">{JSON.stringify(answer.args)}</p>}
      </div>
    </li>
  )
}

const Ended = ({ id, step }: { id: string; step: Of<'ended'> }) => (
  <li id={id} className="turn run-end" tabIndex={-1}>
    <p className="run-end-head">
      <PhoneOff aria-hidden />
      <strong dir="auto">{fromServer(step.text)}</strong>
      <At at={step.at} />
    </p>
    <p className="turn-facts">
      {endFacts(step).join(' · ')} <code>{endCode(step).join(' · ')}</code>
    </p>
  </li>
)
