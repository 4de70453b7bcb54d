import { type ReactNode, useId } from 'react'

/** A part of the screen with a heading. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className="dashboard-part" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}
