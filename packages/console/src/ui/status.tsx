import type { ReactNode } from 'react'
import './status.css'

type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'off'

/** A status as a dot and a word, never by color alone. */
export const Status = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={`status status-${tone}`}>{children}</span>
)

/** A short label beside a name. */
export const Badge = ({ tone = 'off', children }: { tone?: Tone; children: ReactNode }) => (
  <span className={`badge badge-${tone}`}>{children}</span>
)
