import { t } from '@switchroom/contract'
import { ArrowRight } from 'lucide-react'
import { buttonClass } from '../ui/button'
import { PlainLink } from './plain-link'
import './next-step.css'

export type Step = {
  /** Sentence on what is missing. */
  text: string
  /** The button: "Add a gateway". */
  action: string
  href: string
}

/** The next step for a resource: the first that is due. */
export function NextStep({ steps }: { steps: (Step | false | null | undefined)[] }) {
  const step = steps.find((s) => !!s)
  if (!step) return null
  return (
    <aside className="next-step" aria-label={t('Next step')}>
      <p>{step.text}</p>
      <PlainLink href={step.href} className={buttonClass('primary', 'small')}>
        {step.action}
        <ArrowRight aria-hidden />
      </PlainLink>
    </aside>
  )
}
