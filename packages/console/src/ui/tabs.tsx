import { plural } from '@switchroom/contract'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useErrorCounts } from './error-counts'
import './tabs.css'

export type Tab = { id: string; label: string; content: ReactNode }

/** The tab that a key moves the focus to. */
const STEPS: Record<string, (from: number, count: number) => number> = {
  ArrowLeft: (from, count) => (from + count - 1) % count,
  ArrowRight: (from, count) => (from + 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

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
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const errors = useErrorCounts(box, '[data-tab]', 'tab')
  const [own, setOwn] = useState(tabs[0]?.id)
  const [focused, setFocused] = useState<string>()
  const active = value ?? own

  const moveFocus = (e: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[e.key]
    if (!step || e.ctrlKey || e.metaKey || e.altKey || e.shiftKey) return
    e.preventDefault()
    const from = tabs.findIndex((tab) => tab.id === focused)
    const to = tabs[step(from, tabs.length)]!
    document.getElementById(`${id}-tab-${to.id}`)?.focus()
  }
  return (
    <div ref={box}>
      <div
        className="tabs"
        role="tablist"
        aria-label={label}
        onKeyDown={moveFocus}
        onBlur={() => setFocused(undefined)}
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-tab-${tab.id}`}
            className="tab"
            aria-selected={tab.id === active}
            aria-controls={`${id}-${tab.id}`}
            tabIndex={tab.id === (focused ?? active) ? 0 : -1}
            onFocus={() => setFocused(tab.id)}
            onClick={() => {
              if (tab.id === active) return
              setOwn(tab.id)
              onChange?.(tab.id)
            }}
          >
            {tab.label}
            <ErrorCount count={errors[tab.id]} />
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.id}
          role="tabpanel"
          id={`${id}-${tab.id}`}
          className="tab-panel"
          aria-labelledby={`${id}-tab-${tab.id}`}
          tabIndex={tab.id === active ? 0 : -1}
          hidden={tab.id !== active}
          data-tab={tab.id}
        >
          {tab.content}
        </div>
      ))}
    </div>
  )
}

export function ErrorCount({ count }: { count: number | undefined }) {
  if (!count) return null
  return (
    <span className="error-count">
      <span aria-hidden>{count}</span>
      <span className="visually-hidden">{plural(count, '1 error|{n} errors')}</span>
    </span>
  )
}
