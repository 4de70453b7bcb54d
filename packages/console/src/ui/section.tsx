import { t } from '@switchroom/contract'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { Button } from './button'
import { useErrorCounts } from './error-counts'
import { ErrorCount } from './tabs'
import './section.css'

/** Part of a form or page with a heading. In a `FormShell` it appears in the section list. */
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

/** Fields side by side, if there is room. */
export const Columns = ({ children }: { children: ReactNode }) => (
  <div className="columns">{children}</div>
)

/** A destructive action at the bottom of a page. */
export function DangerZone({
  title,
  children,
  onDelete,
  autoFocus = false,
}: {
  /** Heading and label of the button: "Delete account". */
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

type SectionLink = { id: string; title: string }

/** Links to the sections found in `box`, with the current one marked. */
export function SectionNav({ box }: { box: { current: HTMLElement | null } }) {
  const [sections, setSections] = useState<SectionLink[]>([])
  const [current, setCurrent] = useState<string>()
  const errors = useErrorCounts(box, '[data-section]', 'section')

  useEffect(() => {
    const root = box.current
    if (!root) return
    let parts: HTMLElement[] = []
    const find = () => {
      // tabs replace the section list
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
    <nav className="section-nav" aria-label={t('Sections')}>
      {sections.map((s) => (
        <a
          key={s.id}
          href={`#${s.id}`}
          aria-current={s.id === current || undefined}
          onClick={(e) => {
            // scroll without changing the URL's hash
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
