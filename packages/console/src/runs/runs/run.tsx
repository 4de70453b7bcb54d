import { fromServer, type RunView, t } from '@switchroom/contract'
import { useEffect, useMemo, useRef, useState } from 'react'
import { mayWrite } from '../../lib/access'
import { messageOf } from '../../lib/failure'
import { Findings } from '../../ui/findings'
import { Notice } from '../../ui/notice'
import turnsSheet from '../../ui/turns.css?url'
import { HearBox } from './hear-box'
import { HearingContext } from './hearing'
import { problemsOf } from './problems'
import { QuestionPanel } from './question-panel'
import { announcementOf, clockText, problemsText } from './run-text'
import { spokenText } from './spoken-text'
import { stepId } from './step-id'
import { Steps } from './steps'
import { useAnswer } from './use-answer'
import { useEndFocus } from './use-end-focus'
import { useFollowEnd } from './use-follow-end'
import { useHearing } from './use-hearing'
import { useQuestionFocus } from './use-question-focus'

/** A run: what happened, and while it goes on the question that waits. */
export function Run({ run }: { run: RunView }) {
  const { steps } = run
  const list = useRef<HTMLOListElement>(null)
  const hearing = useHearing(run)
  const side = useRef<HTMLElement>(null)
  useFollowEnd(list, side, steps.length)
  useEndFocus(run)
  const prompts = useMemo(() => steps.filter((step) => step.kind === 'said'), [steps])
  return (
    <HearingContext value={hearing.hearing}>
      <link rel="stylesheet" href={turnsSheet} precedence="page" />
      <Problems run={run} />
      <div className="run">
        <div className="run-talk">
          <Steps steps={steps} list={list} />
          <Announcer run={run} />
        </div>
        <aside ref={side} className="run-side" aria-label={t('Your part')}>
          <Part run={run} onAnswered={hearing.hearing?.stop} />
          {prompts.length > 0 && <HearBox of={hearing} prompts={prompts} />}
        </aside>
      </div>
    </HearingContext>
  )
}

function Problems({ run: { steps } }: { run: RunView }) {
  const problems = useMemo(() => problemsOf(steps), [steps])
  if (problems.length === 0) return null
  const show = (index: number) => {
    const row = document.getElementById(stepId(index))
    row?.scrollIntoView({ block: 'center' })
    row?.focus({ preventScroll: true })
  }
  return (
    <section className="run-problem-list" aria-labelledby="run-problems">
      <h2 id="run-problems">{problemsText(problems.length)}</h2>
      <Findings
        findings={problems.map(({ step, text }) => ({ tone: 'bad', text, at: step }))}
        badText={t('Problem')}
        labelOf={(step) => t('Show the step at {time}', { time: clockText(steps[step]?.at ?? 0) })}
        onShow={show}
      />
    </section>
  )
}

/** Reads new prompts to those who do not see them; none of what was there already. */
function Announcer({ run: { steps } }: { run: RunView }) {
  const [text, setText] = useState('')
  const told = useRef(steps.length)
  useEffect(() => {
    const fresh = steps.slice(told.current)
    told.current = steps.length
    const said = announcementOf(fresh, spokenText)
    if (said) setText(said)
  }, [steps])
  return (
    <p className="visually-hidden" role="status">
      {text}
    </p>
  )
}

/** The tester's part: the question to answer. The focus stays in it from one question to the next. */
function Part({ run, onAnswered }: { run: RunView; onAnswered: (() => void) | undefined }) {
  const { question: index, steps, state } = run
  const panel = useRef<HTMLDivElement>(null)
  const answer = useAnswer(run)
  const { reset } = answer
  const step = index === null ? undefined : steps[index]
  const question = step?.kind === 'asked' ? step.question : undefined
  const isMine = mayWrite()
  useQuestionFocus(panel, isMine ? index : null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new question has not been answered
  useEffect(() => reset(), [index, reset])
  if (state !== 'running') return null
  return (
    <div ref={panel} className="run-part" tabIndex={-1}>
      {question && index !== null && isMine ? (
        <QuestionPanel
          key={index}
          question={question}
          isBusy={answer.isPending || answer.isSuccess}
          failure={answer.error ? messageOf(answer.error) : undefined}
          onAnswer={(given) => {
            onAnswered?.()
            answer.mutate({ question: index, answer: given })
            panel.current?.focus({ preventScroll: true })
          }}
        />
      ) : (
        <p className="run-waiting">
          {question ? t('Waiting for an answer') : t('Waiting for the application…')}
        </p>
      )}
    </div>
  )
}

/** Why a run has not ended as others do. */
export function RunNotices({ run, lost }: { run: RunView; lost: Error | null }) {
  return (
    <div className="run-notices">
      {run.state === 'interrupted' && (
        <Notice tone="warn">
          {t('The server stopped during this run, so its end is missing.')}
        </Notice>
      )}
      {lost && (
        <Notice tone="warn">
          {lost.name === 'Unreachable'
            ? t('Connection lost. Trying again…')
            : t('{message} Trying again…', { message: fromServer(messageOf(lost)) })}
        </Notice>
      )}
    </div>
  )
}
