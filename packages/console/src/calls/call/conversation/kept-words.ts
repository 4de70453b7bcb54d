import { t, type WordsKept } from '@switchroom/contract'
import { createContext } from 'react'

/** The account's transcript setting, which may have masked or removed words of the conversation. */
export const WordsContext = createContext<WordsKept>('keep')

export const LEFT_OUT = t('Left out by the account’s setting of transcripts')

/** Note about words that are masked or left out; undefined if all are shown. */
export const wordsNote = (words: WordsKept): string | undefined => NOTES[words]

const NOTES: Record<WordsKept, string | undefined> = {
  keep: undefined,
  mask: t('Digits and email addresses are masked, as set for transcripts of this account.'),
  leave_out: t('Words and keys are left out, as set for transcripts of this account.'),
}
