import type { ReactNode } from 'react'
import { useProductName } from './brand'
import { BrandMark } from './brand-mark'
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
  const productName = useProductName()
  return (
    <div className="public">
      <title>{`${title} · ${productName}`}</title>
      <header className="public-brand">
        <BrandMark size={28} />
      </header>
      <main className="public-card">
        <h1>{title}</h1>
        {intro && <p className="public-intro">{intro}</p>}
        {children}
      </main>
    </div>
  )
}
