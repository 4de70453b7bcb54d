import { type ReactNode, useEffect, useId, useState } from 'react'
import { Button } from './button'
import { useErrorCounts } from './error-counts'
import { ErrorCount } from './tabs'
import './section.css'

/** A part of a form or a page, with a heading. In a `FormShell` it appears in the section list. */
export function Section({
  title,
  about,
  action,
  children,
}: {
  title: string
  about?: ReactNode
  action?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <section className="section" id={id} data-section={id} aria-labelledby={`${id}-title`}>
      <header className="section-head">
        <div>
          <h2 id={`${id}-title`}>{title}</h2>
          {about && <p>{about}</p>}
        </div>
        {action}
      </header>
      <div className="section-body">{children}</div>
    </section>
  )
}

/** Fields side by side where there is room. */
export const Columns = ({ children }: { children: ReactNode }) => (
  <div className="columns">{children}</div>
)

/** What cannot be taken back, at the foot of the page and apart from the rest. */
export function DangerZone({
  title,
  children,
  onDelete,
  autoFocus = false,
}: {
  /** What its button does: "Delete account". */
  title: string
  children: ReactNode
  onDelete: () => void
  autoFocus?: boolean
}) {
  return (
    <section className="danger" aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p>{children}</p>
      </div>
      <Button look="danger" autoFocus={autoFocus} onClick={onDelete}>
        {title}
      </Button>
    </section>
  )
}

type Found = { id: string; title: string }

/** The sections of what stands in `box`, found there; the one being read is marked. */
export function SectionNav({ box }: { box: { current: HTMLElement | null } }) {
  const [sections, setSections] = useState<Found[]>([])
  const [current, setCurrent] = useState<string>()
  const errors = useErrorCounts(box, '[data-section]', 'section')

  useEffect(() => {
    const root = box.current
    if (!root) return
    let parts: HTMLElement[] = []
    const find = () => {
      // where there are tabs, they are the way around
      parts = [...root.querySelectorAll<HTMLElement>('[data-section]')].filter(
        (p) => !p.closest('[role="tabpanel"]'),
      )
      const next = parts.map((p) => ({ id: p.id, title: p.querySelector('h2')?.textContent ?? '' }))
      setSections((old) => (JSON.stringify(old) === JSON.stringify(next) ? old : next))
      follow()
    }
    const follow = () => {
      const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 4
      const above = parts.filter((p) => p.getBoundingClientRect().top < innerHeight * 0.3)
      setCurrent((atEnd ? parts.at(-1) : (above.at(-1) ?? parts[0]))?.id)
    }
    find()
    const observer = new MutationObserver(find)
    observer.observe(root, { subtree: true, childList: true })
    addEventListener('scroll', follow, { passive: true })
    return () => {
      observer.disconnect()
      removeEventListener('scroll', follow)
    }
  }, [box])

  if (sections.length < 3) return null
  return (
    <nav className="section-nav" aria-label="Sections">
      {sections.map((s) => (
        <a
          key={s.id}
          href={`#${s.id}`}
          aria-current={s.id === current || undefined}
          onClick={(e) => {
            // the place in the URL is the page's, not the section's
            e.preventDefault()
            document.getElementById(s.id)?.scrollIntoView({ behavior: 'smooth' })
          }}
        >
          {s.title}
          <ErrorCount count={errors[s.id]} />
        </a>
      ))}
    </nav>
  )
}
