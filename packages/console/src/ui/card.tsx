import type { ReactNode } from 'react'
import { Mark } from './mark'
import './card.css'

/** The layout of public screens: logo, heading and a small form. */
export function Card({
  title,
  intro,
  children,
}: {
  title: string
  intro?: ReactNode
  children?: ReactNode
}) {
  return (
    <div className="public">
      <title>{`${title} · Switchroom`}</title>
      <header className="public-brand">
        <Mark size={28} />
        <span>Switchroom</span>
      </header>
      <main className="public-card">
        <h1>{title}</h1>
        {intro && <p className="public-intro">{intro}</p>}
        {children}
      </main>
    </div>
  )
}
