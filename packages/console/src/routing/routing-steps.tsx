import { fromServer, type RoutingStep, t } from '@switchroom/contract'
import { CircleAlert, CircleCheck, CircleMinus, TriangleAlert } from 'lucide-react'
import { Notice } from '../ui/notice'
import './routing-steps.css'

const icons = {
  taken: CircleCheck,
  passed: CircleMinus,
  warned: TriangleAlert,
  failed: CircleAlert,
}
const tones = { taken: 'ok', passed: 'info', warned: 'warn', failed: 'bad' } as const

/** Who decides a step. */
const PROGRAMS = {
  'feature-server': t('Feature server'),
  'inbound-sbc': t('Inbound SBC'),
  'outbound-sbc': t('Outbound SBC'),
} satisfies Record<NonNullable<RoutingStep['program']>, string>

/** The platform's routing decisions step by step. */
export function Steps({ steps }: { steps: RoutingStep[] }) {
  const last = steps.at(-1)
  if (!last) return null
  return (
    <>
      <Notice tone={tones[last.result]}>{fromServer(last.reason)}</Notice>
      <ol className="steps" aria-label={t('Steps')}>
        {steps.slice(0, -1).map((step, i) => {
          const Icon = icons[step.result]
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
            <li key={i} className={`step-${step.result}`}>
              <Icon aria-hidden />
              <span>{fromServer(step.reason)}</span>
              {step.program && <small>{PROGRAMS[step.program]}</small>}
            </li>
          )
        })}
      </ol>
    </>
  )
}
