import type { Conversation, ConversationEntry } from '@switchroom/contract'

/** More than a page can show. */
const MAX_ENTRIES = 10_000

/** A conversation with further entries in order of time, and what points at its own. */
export function withEntries(
  conversation: Conversation,
  others: readonly ConversationEntry[],
): Conversation {
  const { entries, findings, slowest, cut } = conversation
  const all = [...entries, ...others.slice(0, MAX_ENTRIES - entries.length)].sort(
    (a, b) => a.at - b.at,
  )
  const places = new Map(all.map((entry, i) => [entry, i]))
  const placeOf = (index: number | null) =>
    index === null ? null : (places.get(entries[index]!) ?? null)
  return {
    ...conversation,
    entries: all,
    findings: findings.map((finding) => ({ ...finding, entry: placeOf(finding.entry) })),
    slowest: placeOf(slowest),
    cut: cut || entries.length + others.length > MAX_ENTRIES,
  }
}
