import { type ReactNode, useId } from 'react'
import './block.css'

/** Blocks of an overview, one below the other; `side`: blocks beside them, if there is room. */
export const Blocks = ({ side, children }: { side?: ReactNode; children: ReactNode }) => (
  <div className="blocks">
    <div className="blocks-column">{children}</div>
    {side && <div className="blocks-column">{side}</div>}
  </div>
)

/** A part of an overview with a heading. */
export function Block({
  title,
  action,
  children,
}: {
  title: string
  /** A link or button beside the heading. */
  action?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <section className="block" aria-labelledby={id}>
      <header className="block-head">
        <h2 id={id}>{title}</h2>
        {action}
      </header>
      {children}
    </section>
  )
}
