import type { ReactNode } from 'react'
import './facts.css'

/** Facts about a resource, one below the other; `inline`: in a row. */
export const Facts = ({ inline, children }: { inline?: boolean; children: ReactNode }) => (
  <dl className={inline ? 'facts facts-inline' : 'facts'}>{children}</dl>
)
export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
