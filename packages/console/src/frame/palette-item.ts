import { hasWords, t } from '@switchroom/contract'
import type { Item } from '../lib/thing'

export type Group = { value: string; items: Item[] }

export const withQuery = (href: string, query: Record<string, string>) =>
  `${href}?${new URLSearchParams(query)}`

/** True if every word of the text is in an item's label or is a synonym for it. */
export const matches = ({ label, words }: Item, text: string) => hasWords([label, words], text)

/**
 * Groups to show after the user has moved to an item: everything down to it stays in place, and later results follow
 * below, so that Enter opens the item that they saw.
 */
export function keepDownTo(id: string, shown: Group[], found: Group[]): Group[] {
  const at = shown.findIndex(({ items }) => items.some((item) => item.id === id))
  const group = shown[at]
  if (!group) return found
  const above = shown.slice(0, at)
  const kept = group.items.slice(0, 1 + group.items.findIndex((item) => item.id === id))
  const seen = new Set([...above.flatMap(({ items }) => items), ...kept].map((item) => item.id))
  const isAbove = (value: string) => above.some((g) => g.value === value)
  const since = found.map(({ value, items }) => ({
    value,
    items: items.filter((item) => !seen.has(item.id)),
  }))
  const same = since.find(({ value }) => value === group.value)
  const late = since.filter(({ value }) => isAbove(value)).flatMap(({ items }) => items)
  return [
    ...above,
    { value: group.value, items: [...kept, ...(same?.items ?? [])] },
    ...since.filter((g) => g !== same && !isAbove(g.value) && g.items.length > 0),
    ...(late.length > 0 ? [{ value: t('More results'), items: late }] : []),
  ]
}
