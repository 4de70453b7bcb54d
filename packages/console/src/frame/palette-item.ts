import { hasWords } from '@switchroom/contract'
import type { LucideIcon } from 'lucide-react'
import type { RecentThing } from './recent-things'

export type Item = {
  id: string
  label: string
  detail?: string | null
  /** Other words by which people look for it. */
  words?: string | undefined
  icon: LucideIcon
  /** The key that goes there after `g`. */
  key?: string | undefined
  /** Where it leads; or what it does. */
  href?: string
  run?: () => void
  /** The provider whose screen it is, if that may be another than the current one. */
  provider?: string | null
  /** The thing that it leads to. */
  thing?: RecentThing
}
export type Group = { value: string; items: Item[] }

export const withQuery = (href: string, query: Record<string, string>) =>
  `${href}?${new URLSearchParams(query)}`

/** Whether every word of the text is in an item's label, or is another for it. */
export const matches = ({ label, words }: Item, text: string) => hasWords([label, words], text)
