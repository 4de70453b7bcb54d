import { type Found, type ServiceProvider, t } from '@switchroom/contract'
import { type LucideIcon, Plus } from 'lucide-react'
import type { ComponentType } from 'react'
import { mayWrite } from './access'
import type { CardProps } from './thing-card'

/** A recently visited resource, as the palette remembers it: without how it was found. */
export type RecentThing = Omit<Found, 'found_by' | 'is_similar'>

/** An item of the palette. */
export type Item = {
  id: string
  label: string
  detail?: string | null
  /** Synonyms that people search for. */
  words?: string | undefined
  icon: LucideIcon
  /** The key that opens it after `g`. */
  key?: string | undefined
  /** Link that it opens; `run` is called instead if there is none. */
  href?: string
  run?: () => void
  /** The provider whose screen it is, if that may be another than the current one. */
  provider?: string | null
  /** The resource that it opens. */
  thing?: RecentThing
}

/**
 * Descriptor of a kind for the frame, apart from its line in the menu and its URL. Loaded with the palette and cards.
 */
export type Thing = {
  /** Name of one resource. */
  label: string
  icon: LucideIcon
  /** Synonyms for its list that people search for. */
  words: string
  /** Items that add one; null if that begins elsewhere. */
  add: ((provider: ServiceProvider | undefined) => Item[]) | null
  /** Filter for its calls; null if calls cannot be attributed to it. */
  calls: ((thing: { sid: string; name: string }) => Record<string, string>) | null
  /**
   * Further actions, apart from editing, calls and history. Labels leave out its name, since commands are searched
   * without it.
   */
  actions: ((sid: string, name: string) => Item[]) | null
  /** Card shown below its name. */
  Card: ComponentType<CardProps>
}

/** Leads to the form of a new one. */
export const adding = (label: string, href: string, may = true): Item[] =>
  may && mayWrite() ? [{ id: label, label, words: t('new create insert'), icon: Plus, href }] : []
