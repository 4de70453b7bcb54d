import type { CallRow, Shard } from './shard.ts'

/**
 * The text index: FTS5 over the words of a call. Every three characters of `from` and `to` are a word,
 * and so are the last two and the last one; FTS5 indexes prefixes of one and two characters. The tags of a
 * call are words too, so totals come from the index alone.
 */

/** Maps ASCII to characters that FTS5 does not fold or split. All others share one. */
const SHIFT = 0x100
const OTHER = 0x80
const shifted = (text: string) => {
  let out = ''
  for (let i = 0; i < text.length; i++)
    out += String.fromCharCode(SHIFT + Math.min(OTHER, text.charCodeAt(i)))
  return out
}
const isAscii = (text: string) => shifted(text).indexOf(String.fromCharCode(SHIFT + OTHER)) < 0

function gramsOf(text: string | null): string {
  if (!text) return ''
  const all = shifted(text)
  let grams = ''
  for (let i = 0; i < all.length; i++) grams += `${all.slice(i, i + 3)} `
  return grams
}

/** The word of a tag. */
export const tagKey = (name: string, value: string) => JSON.stringify(['tag', name, value])
export const tagWord = (id: number) => `w${id}`
const applicationWord = (id: number) => `v${id}`
const statusWord = (status: number) => `s${status}`

/** The searchable fields of a call. */
export type Findable = Pick<CallRow, 'id' | 'from' | 'to' | 'application' | 'sip_status'>

const wordsOf = (row: Findable, tags: string) =>
  `${gramsOf(row.from)}${gramsOf(row.to)}${tags} ` +
  `${applicationWord(row.application)} ${row.sip_status === null ? '' : statusWord(row.sip_status)}`

/** Adds a call; `tags` are the words of its series. Within the caller's transaction. */
export const addText = (shard: Shard, row: Findable, tags: string) =>
  shard.run('insert into texts (rowid, words) values (?, ?)', row.id, wordsOf(row, tags))

/** Removes a call, for which FTS5 needs the same words. Within the caller's transaction. */
export const removeText = (shard: Shard, row: Findable, tags: string) =>
  shard.run(
    `insert into texts (texts, rowid, words) values ('delete', ?, ?)`,
    row.id,
    wordsOf(row, tags),
  )

/** The number of trigrams of a text that are looked up. More would hardly narrow the search. */
const MAX_GRAMS = 16

/** The FTS5 query for calls with one of the texts, and whether its matches need a check against these. */
export function matching(
  texts: readonly string[],
  tags: number[],
  { application, sip_status }: { application: number | undefined; sip_status: number | undefined },
): { match: string; check: boolean } {
  const words = new Set<string>()
  for (const id of tags) words.add(tagWord(id))
  if (application !== undefined) words.add(applicationWord(application))
  if (sip_status !== undefined) words.add(statusWord(sip_status))
  const all = texts.map(gramsWithin)
  const [first] = all
  const grams = all.length === 1 ? first! : `(${all.map((some) => `(${some})`).join(' OR ')})`
  const check = texts.some((text) => text.length > 3 || !isAscii(text))
  return { match: [grams, ...words].join(' AND '), check }
}

function gramsWithin(text: string): string {
  const all = shifted(text)
  const words = new Set<string>()
  for (let i = 0; i + 3 <= all.length && words.size < MAX_GRAMS; i++) words.add(all.slice(i, i + 3))
  if (words.size === 0) words.add(`${all}*`)
  return [...words].join(' AND ')
}
