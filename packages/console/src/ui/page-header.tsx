import { type ReactNode, useDeferredValue } from 'react'
import './page-header.css'

/** The screen's title, also for the browser tab, with the total and the primary action. */
export function PageHeader({
  title,
  total,
  children,
}: {
  title: string
  total?: number | undefined
  children?: ReactNode
}) {
  // after the rows: a page's first formatter takes 12 ms
  const shown = useDeferredValue(total, null)
  return (
    <header className="page-header">
      <title>{`${title} · Switchroom`}</title>
      <h1>{title}</h1>
      {typeof shown === 'number' && (
        <span className="page-total numbers" aria-hidden>
          {shown.toLocaleString()}
        </span>
      )}
      <div className="page-actions">{children}</div>
    </header>
  )
}
