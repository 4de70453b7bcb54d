import { foundWords } from '@switchroom/contract'
import { createContext, useContext } from 'react'

/** Words to mark in the texts below, as `wantedWords` returns them. */
export const WantedContext = createContext<readonly string[]>([])

/** A text in which what is searched for is marked. */
export function Marked({ text }: { text: string }) {
  const wanted = useContext(WantedContext)
  if (wanted.length === 0) return text
  const places = foundWords(text, wanted)
  return (
    <>
      {places.map(([from, to], i) => [
        text.slice(places[i - 1]?.[1] ?? 0, from),
        <mark key={from}>{text.slice(from, to)}</mark>,
      ])}
      {text.slice(places.at(-1)?.[1] ?? 0)}
    </>
  )
}
