import type { ReactNode } from 'react'
import { countText } from './count-text'
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
  return (
    <header className="page-header">
      <title>{`${title} · Switchroom`}</title>
      <h1>{title}</h1>
      {total !== undefined && (
        <span className="page-total numbers" aria-hidden>
          {countText(total)}
        </span>
      )}
      <div className="page-actions">{children}</div>
    </header>
  )
}
