import type { Run } from '@switchroom/config/apply'
import type { Meaning } from '@switchroom/config/meaning'
import type { Change, Plan } from '@switchroom/config/plan'
import type { Place } from '@switchroom/config/problem'
import { numberText, plural, t } from '@switchroom/contract'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { mayWrite } from '../../lib/access'
import { queryClient } from '../../lib/api'
import { isRedirectingToLogIn } from '../../lib/session'
import { Block } from '../../ui/block'
import { Button } from '../../ui/button'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Notice } from '../../ui/notice'
import { Checkbox } from '../../ui/toggle'
import { keyOf } from './owner'
import { Changes, isLost, MeaningLine, Summary, titleOf } from './plan'

type Props = {
  plan: Plan | undefined
  onShow: (place: Place) => void
  onApplying: (isApplying: boolean) => void
  /** All of the changes are made, or some: what is left is to be planned again. */
  onMade: (isAll: boolean) => void
}
type Step = { change: Change; done: number; of: number }
type Outcome = { made: number; of: number; stopped?: true; error?: string }

/** A plan, and making it so: with a word before something is deleted, and for as long as nobody stops it. */
export function Apply({ plan, onShow, onApplying, onMade }: Props) {
  const [deletes, setDeletes] = useState(false)
  const [confirming, setConfirming] = useState(false)
  const [step, setStep] = useState<Step>()
  const [outcome, setOutcome] = useState<Outcome>()
  const stop = useRef<AbortController>(undefined)
  const run = useRef<Run & { owner: string }>(undefined)
  const isApplying = step !== undefined

  const lost = plan?.changes.filter(isLost) ?? []
  const kept = plan?.changes.filter((change) => !isLost(change)) ?? []
  const made = deletes ? (plan?.changes ?? []) : kept
  const order = new Map(made.map((change, i) => [change, i]))
  const progress = step && { done: step.done, order }

  const mustStay = () => stop.current !== undefined && !isRedirectingToLogIn()
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && mustStay(),
    enableBeforeUnload: mustStay,
    withResolver: true,
  })
  // whoever leaves means to stop it
  useEffect(() => () => stop.current?.abort(), [])

  /** The application that was stopped, so that what is on its way is not done twice; else a new one. */
  function runOf(owner: string): Run {
    const isResumed = run.current?.owner === owner
    if (!isResumed) run.current = { owner, name: crypto.randomUUID(), isResumed: false }
    return { name: run.current!.name, isResumed }
  }

  async function start(plan: Plan) {
    setConfirming(false)
    setOutcome(undefined)
    const controller = new AbortController()
    stop.current = controller
    const of = made.length
    let done = 0
    let isAll = false
    setStep({ change: made[0]!, done, of })
    onApplying(true)
    const engine = await import('./engine')
    const finish = (more: Omit<Outcome, 'made' | 'of'>) => setOutcome({ made: done, of, ...more })
    try {
      done = await engine.apply(engine.client, plan, {
        run: runOf(keyOf(plan.owner)),
        deletes,
        signal: controller.signal,
        onStep: (next) => {
          done = next.done
          setStep(next)
        },
      })
      isAll = true
      run.current = undefined
      finish({})
    } catch (error) {
      finish(controller.signal.aborted ? { stopped: true } : { error: engine.reasonOf(error) })
    }
    stop.current = undefined
    setStep(undefined)
    setDeletes(false)
    onApplying(false)
    void queryClient.invalidateQueries()
    onMade(isAll)
  }

  return (
    <>
      {outcome && (
        // the plan above which it stands may have been long
        <div ref={(told) => told?.scrollIntoView({ block: 'nearest' })}>
          <Told outcome={outcome} />
        </div>
      )}
      {plan && (
        <div className="config-plan">
          <Summary plan={plan} />
          {kept.length > 0 && (
            <Block title={t('Changes')}>
              <Changes plan={plan} changes={kept} progress={progress} onShow={onShow} />
            </Block>
          )}
          {lost.length > 0 && (
            <Block title={t('Deletions')}>
              <p className="hint">
                {t(
                  'These resources are not in the files, or cannot be changed without deleting them.',
                )}
              </p>
              <Changes plan={plan} changes={lost} progress={progress} onShow={onShow} />
              {mayWrite() && (
                <Checkbox
                  label={plural(
                    lost.length,
                    'Delete this resource too|Delete these {n} resources too',
                  )}
                  value={deletes}
                  disabled={isApplying}
                  onChange={setDeletes}
                />
              )}
            </Block>
          )}
          <Meanings plan={plan} />
          {mayWrite() && (made.length > 0 || isApplying) && (
            <div className="config-actions">
              <Button
                look="primary"
                busy={isApplying}
                onClick={() =>
                  deletes && lost.length > 0 ? setConfirming(true) : void start(plan)
                }
              >
                {isApplying
                  ? t('Applying…')
                  : plural(made.length, 'Apply 1 change|Apply {n} changes')}
              </Button>
              {step && <Button onClick={() => stop.current?.abort()}>{t('Stop')}</Button>}
              {step && <Making step={step} plan={plan} />}
            </div>
          )}
          <ConfirmDialog
            open={confirming}
            onClose={() => setConfirming(false)}
            title={plural(lost.length, 'Delete 1 resource?|Delete {n} resources?')}
            confirm={plural(
              lost.length,
              'Delete 1 resource and apply|Delete {n} resources and apply',
            )}
            onConfirm={() => void start(plan)}
          >
            <Lost plan={plan} lost={lost} />
          </ConfirmDialog>
        </div>
      )}
      <ConfirmDialog
        open={blocker.status === 'blocked'}
        onClose={() => blocker.reset?.()}
        title={t('Changes are being made')}
        cancel={t('Stay on this page')}
        confirm={t('Stop and leave')}
        onConfirm={() => blocker.proceed?.()}
      >
        {t('If you leave this page, the remaining changes are not made. You can continue later.')}
      </ConfirmDialog>
    </>
  )
}

const NAMED = 10

function Lost({ plan, lost }: { plan: Plan; lost: readonly Change[] }) {
  const more = lost.length - NAMED
  return (
    <>
      <p>{t('Deleted resources cannot be restored with their secrets and history.')}</p>
      <ul>
        {lost.slice(0, NAMED).map((change) => (
          <li key={change.sid}>{titleOf(change, plan)}</li>
        ))}
        {more > 0 && <li>{plural(more, 'and 1 more|and {n} more')}</li>}
      </ul>
    </>
  )
}

const Making = ({ step: { change, done, of }, plan }: { step: Step; plan: Plan }) => (
  <div role="status">
    {t('{done} of {total}: {thing}', {
      done: numberText(done + 1),
      total: numberText(of),
      thing: titleOf(change, plan),
    })}
    <progress aria-label={t('Progress')} value={done} max={of} />
  </div>
)

function Told({ outcome: { made, of, stopped, error } }: { outcome: Outcome }) {
  const counted = t('{made} of {total} changes are made.', {
    made: numberText(made),
    total: numberText(of),
  })
  if (error !== undefined)
    return (
      <Notice tone="bad">
        {`${/[.!?]$/.test(error) ? error : `${error}.`} ${counted} ${t('The plan below shows what is left to do.')}`}
      </Notice>
    )
  if (stopped)
    return (
      <Notice tone="warn">{`${t('Stopped.')} ${counted} ${t('The plan below shows what is left to do.')}`}</Notice>
    )
  return (
    <Notice tone="ok">
      {`${plural(made, 'Made 1 change.|Made {n} changes.')} ${t('They are in the audit log. They cannot be undone all at once.')}`}
    </Notice>
  )
}

/** Effect of changed routes and carriers on the calls of a day. Empty if the plan changes none. */
function Meanings({ plan }: { plan: Plan }) {
  const [found, setFound] = useState<{ all: Meaning[]; isDone?: true; error?: string }>({ all: [] })
  useEffect(() => {
    let isGone = false
    const all: Meaning[] = []
    setFound({ all })
    async function look() {
      const engine = await import('./engine')
      try {
        for await (const meaning of engine.meaningsOf(engine.client, plan)) {
          if (isGone) return
          all.push(meaning)
          setFound({ all: [...all] })
        }
        if (!isGone) setFound({ all, isDone: true })
      } catch (error) {
        if (!isGone) setFound({ all, isDone: true, error: engine.reasonOf(error) })
      }
    }
    void look()
    return () => {
      isGone = true
    }
  }, [plan])
  const { all, isDone, error } = found
  if (all.length === 0 && !error) return null
  return (
    <Block title={t('Effect on calls')}>
      <ul className="config-changes">
        {all.map((meaning) => (
          <MeaningLine key={meaning.change.sid} meaning={meaning} plan={plan} />
        ))}
      </ul>
      {!isDone && <p role="status">{t('Comparing where calls go…')}</p>}
      {error && <Notice tone="warn">{error}</Notice>}
    </Block>
  )
}
