import type { SegmentFile } from '../../kit/segment-files.ts'

/**
 * Words of calls, from traces and from transcriptions of recordings, and their index. Each indexed word begins with the
 * number of an owner, once for the account and once for the provider: a search reads nothing of others.
 */
export const SPOKEN_SCHEMA = `
create table spoken (id integer primary key, words text not null, recorded text not null);
create virtual table said using fts5 (words, content = '', columnsize = 0, tokenize = 'ascii');
insert into said (said, rank) values ('secure-delete', 1);
`
/** Separates utterances; not a word. */
const APART = '¶'
/**
 * Separates an owner and a word, neither of which contains it. The index treats it as a letter, like all non-ASCII
 * characters.
 */
const OF = '·'

export type Spoken = { words: string; recorded: string }

/** The words of a day's calls, by id. Calls must be inside a transaction of the day. */
export class SpokenWords {
  #file: SegmentFile

  constructor(file: SegmentFile) {
    this.#file = file
  }

  of(id: number): Spoken {
    const row = this.#file.get<Spoken>('select words, recorded from spoken where id = ?', id)
    return row ?? { words: '', recorded: '' }
  }

  /** `owners`: their numbers. */
  add(id: number, spoken: Spoken, owners: readonly number[]) {
    if (!spoken.words && !spoken.recorded) return
    const { words, recorded } = spoken
    this.#file
      .sql('insert into spoken (id, words, recorded) values (?, ?, ?)')
      .run(id, words, recorded)
    this.#file.sql('insert into said (rowid, words) values (?, ?)').run(id, indexed(spoken, owners))
  }

  /** Removes what was added with the same owners. */
  take(id: number, owners: readonly number[]): Spoken {
    const spoken = this.of(id)
    if (!spoken.words && !spoken.recorded) return spoken
    this.#file
      .sql(`insert into said (said, rowid, words) values ('delete', ?, ?)`)
      .run(id, indexed(spoken, owners))
    this.#file.sql('delete from spoken where id = ?').run(id)
    return spoken
  }
}

const ofOwner = (owner: number, words: string) =>
  words
    .split(' ')
    .map((word) => (word === '' || word === APART ? word : `${owner}${OF}${word}`))
    .join(' ')

function indexed({ words, recorded }: Spoken, owners: readonly number[]) {
  const all = [words, recorded].filter(Boolean).join(APART)
  return owners.map((owner) => ofOwner(owner, all)).join(APART)
}

/** Full-text condition: calls of any of these owners with all wanted words. Throws if there are none. */
export function wordsCondition(owners: readonly number[], wanted: readonly string[]): string {
  if (wanted.length === 0) throw new Error('no word is wanted')
  // words have no quotation marks; should one have some, they end nothing
  const phrase = (owner: number, words: string) =>
    `"${ofOwner(owner, words).trim().replaceAll('"', '""')}" *`
  return owners
    .map((owner) => `(${wanted.map((words) => phrase(owner, words)).join(' AND ')})`)
    .join(' OR ')
}
