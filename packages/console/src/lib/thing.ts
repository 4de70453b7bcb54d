import { type Found, type ServiceProvider, t } from '@switchroom/contract'
import { type LucideIcon, Plus } from 'lucide-react'
import type { ComponentType } from 'react'
import { mayWrite } from './access'
import type { CardProps } from './thing-card'

/** As the palette remembers it: not how it was found. */
export type RecentThing = Omit<Found, 'found_by' | 'is_similar'>

/** What is chosen from the palette. */
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

/** What the frame knows of a kind of thing, besides its line in the menu and its address. Loaded with the palette and cards. */
export type Thing = {
  /** What one is called. */
  label: string
  icon: LucideIcon
  /** Other words by which people look for its list. */
  words: string
  /** What adds one; none where that begins elsewhere. */
  add: ((provider: ServiceProvider | undefined) => Item[]) | null
  /** Which of all calls are one's; null if that cannot be told. */
  calls: ((thing: { sid: string; name: string }) => Record<string, string>) | null
  /** What else may be done with one, besides changing it, its calls and its history. Without its name, as commands are looked for. */
  actions: ((sid: string, name: string) => Item[]) | null
  /** What is shown of one below its name. */
  Card: ComponentType<CardProps>
}

/** Leads to the form of a new one. */
export const adding = (label: string, href: string, may = true): Item[] =>
  may && mayWrite() ? [{ id: label, label, words: t('new create insert'), icon: Plus, href }] : []
