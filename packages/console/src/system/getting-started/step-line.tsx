import { type GettingStarted, type OpenReason, type Step, t } from '@switchroom/contract'
import { Circle, CircleCheck, CircleDot } from 'lucide-react'
import { mayWrite } from '../../lib/access'
import { PlainLink } from '../../lib/plain-link'
import { buttonClass } from '../../ui/button'
import { AllowList } from './allow-list'
import { setupOf } from './lines'
import { PasteLines } from './paste-lines'
import { PlatformChoice } from './platform-choice'
import { SampleApplication } from './sample-application'
import { openText, TITLES } from './steps'
import { WaitForCall } from './wait-for-call'

/** A step: done, next, or still to come. The next one says what to do. */
export function StepLine({
  step,
  open,
  found,
  isNext,
  service_provider_sid,
}: {
  step: Step
  open: OpenReason | null
  found: GettingStarted
  isNext: boolean
  service_provider_sid: string | undefined
}) {
  const Icon = open === null ? CircleCheck : isNext ? CircleDot : Circle
  return (
    <li
      className="step"
      data-state={open === null ? 'done' : isNext ? 'next' : 'open'}
      aria-current={isNext ? 'step' : undefined}
    >
      <Icon aria-hidden />
      <div className="step-body">
        <h2>
          {TITLES[step]}
          <span className="visually-hidden">: {open === null ? t('done') : t('open')}</span>
        </h2>
        {open !== null && <OpenStep step={step} open={open} found={found} isNext={isNext} />}
        {step === 'carrier' && <AllowList sbcs={found.sbcs} />}
        {step === 'call' && (
          <WaitForCall
            number={found.number?.number}
            isReady={found.steps.every(({ step, open }) => !NEEDED.has(step) || open === null)}
            isDone={open === null}
            service_provider_sid={service_provider_sid}
          />
        )}
      </div>
    </li>
  )
}

/** Without these no call can arrive. */
const NEEDED = new Set<Step>(['carrier', 'realm', 'client', 'application', 'number'])

function OpenStep({
  step,
  open,
  found,
  isNext,
}: {
  step: Step
  open: OpenReason
  found: GettingStarted
  isNext: boolean
}) {
  const { text, actions = [] } = openText(step, open, found)
  const setup = found.doors && setupOf(step, found.doors, location)
  return (
    <>
      <p>
        {text}
        {!found.doors && (open === 'off' || open === 'no_sbc') && (
          <> {t('Ask the administrator.')}</>
        )}
      </p>
      {open === 'alone' && mayWrite() && <PlatformChoice />}
      {mayWrite() && (
        <div className="step-actions">
          {step === 'application' && open === 'no_application' && (
            <SampleApplication account_sid={found.account?.account_sid} isNext={isNext} />
          )}
          {actions.map(
            (action) =>
              action && (
                <PlainLink
                  key={action.href}
                  href={action.href}
                  className={buttonClass(
                    isNext && open !== 'no_application' ? 'primary' : 'plain',
                    'small',
                  )}
                >
                  {action.label}
                </PlainLink>
              ),
          )}
        </div>
      )}
      {setup && <PasteLines {...setup} />}
    </>
  )
}
