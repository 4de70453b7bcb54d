import { numberText } from '@switchroom/contract'
import { type ReactNode, useDeferredValue } from 'react'
import { useProductName } from './brand'
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
  const productName = useProductName()
  // after the rows: a page's first formatter takes 12 ms
  const shown = useDeferredValue(total, null)
  return (
    <header className="page-header">
      <title>{`${title} · ${productName}`}</title>
      <h1>{title}</h1>
      {typeof shown === 'number' && (
        <span className="page-total numbers" aria-hidden>
          {numberText(shown)}
        </span>
      )}
      <div className="page-actions">{children}</div>
    </header>
  )
}
