import { Tabs as Base } from '@base-ui/react/tabs'
import { type ReactNode, useRef } from 'react'
import { useErrorCounts } from './error-counts'
import './tabs.css'

export type Tab = { id: string; label: string; content: ReactNode }

/** Tabs whose panels all stay mounted, so that none loses what was typed. */
export function Tabs({
  label,
  tabs,
  value,
  onChange,
}: {
  label: string
  tabs: readonly Tab[]
  value?: string
  onChange?: (id: string) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const errors = useErrorCounts(box, '[data-tab]', 'tab')
  const control =
    value === undefined
      ? { defaultValue: tabs[0]?.id ?? '' }
      : { value, onValueChange: (next: string) => onChange?.(next) }
  return (
    <Base.Root ref={box} {...control}>
      <Base.List className="tabs" aria-label={label}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.id} value={tab.id} className="tab">
            {tab.label}
            <ErrorCount count={errors[tab.id]} />
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.id} value={tab.id} keepMounted className="tab-panel" data-tab={tab.id}>
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}

export function ErrorCount({ count }: { count: number | undefined }) {
  if (!count) return null
  return (
    <span className="error-count">
      {count}
      <span className="visually-hidden">{count === 1 ? ' error' : ' errors'}</span>
    </span>
  )
}
