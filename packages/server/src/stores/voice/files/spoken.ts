import type { SegmentFile } from '../../kit/segment-files.ts'

/**
 * What was said, as traces and transcriptions of recordings have it, and its index. In that, each word begins with the
 * number of an owner, once for the account and once for the provider: a search reads nothing of others.
 */
export const SPOKEN_SCHEMA = `
create table spoken (id integer primary key, words text not null, recorded text not null);
create virtual table said using fts5 (words, content = '', columnsize = 0, tokenize = 'ascii');
insert into said (said, rank) values ('secure-delete', 1);
`
/** What is between utterances is no word of anyone. */
const APART = '¶'
/** Between an owner and a word, of which neither has it. To the index it is a letter, as all that is not ASCII. */
const OF = '·'

export type Spoken = { words: string; recorded: string }

/** What was said in the calls of a day, by their ids. All within a transaction of the day. */
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

  /** Takes away what was added with the same owners. */
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

/** A condition of the index for calls of any of these owners with all that is wanted. Throws if no word is wanted. */
export function saidBy(owners: readonly number[], wanted: readonly string[]): string {
  if (wanted.length === 0) throw new Error('no word is wanted')
  // words have no quotation marks; should one have some, they end nothing
  const phrase = (owner: number, words: string) =>
    `"${ofOwner(owner, words).trim().replaceAll('"', '""')}" *`
  return owners
    .map((owner) => `(${wanted.map((words) => phrase(owner, words)).join(' AND ')})`)
    .join(' OR ')
}
