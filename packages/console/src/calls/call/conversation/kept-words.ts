import { t, type WordsKept } from '@switchroom/contract'
import { createContext } from 'react'

/** What the setting of the account made of a conversation's words. */
export const WordsContext = createContext<WordsKept>('keep')

export const LEFT_OUT = t('Left out by the account’s setting of transcripts')

/** What is missing from what is shown; undefined if nothing is. */
export const wordsNote = (words: WordsKept): string | undefined => NOTES[words]

const NOTES: Record<WordsKept, string | undefined> = {
  keep: undefined,
  mask: t('Digits and email addresses are masked, as set for transcripts of this account.'),
  leave_out: t('Words and keys are left out, as set for transcripts of this account.'),
}
