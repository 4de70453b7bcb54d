import { type ConversationEntry, foundWords, wantedWords } from '@switchroom/contract'
import { useMemo } from 'react'

/** Texts of an entry that are known, without events. */
function textsOf(entry: ConversationEntry): (string | null)[] {
  if (entry.kind === 'event') return []
  if (entry.kind === 'recorded') return [entry.text]
  if (entry.kind === 'model') return entry.what === 'words' ? [entry.text] : []
  return [entry.kind === 'heard' ? entry.transcript : entry.text, entry.from_recording]
}

/** The rows in which something of what calls were searched by was said, and what that is. */
export function useFound(entries: readonly ConversationEntry[], said: string | undefined) {
  return useMemo(() => {
    const wanted = said === undefined ? [] : wantedWords(said)
    const isFound = (text: string | null) => text !== null && foundWords(text, wanted).length > 0
    const rows = entries.flatMap((entry, row) =>
      wanted.length > 0 && textsOf(entry).some(isFound) ? [row] : [],
    )
    return { wanted, rows }
  }, [entries, said])
}
