import { foundWords, t } from '@switchroom/contract'
import { useContext, useState } from 'react'
import { beginningOf } from './beginning-of'
import { Button } from './button'
import { Marked, WantedContext } from './marked'

/** Position where the last search match ends. */
const endOf = (text: string, wanted: readonly string[]) => foundWords(text, wanted).at(-1)?.[1] ?? 0

/**
 * A spoken text in either writing direction. A long text is cut until expanded, or if a match lies beyond the cut.
 */
export function LongText({ text }: { text: string }) {
  const beginning = beginningOf(text)
  const wanted = useContext(WantedContext)
  const [all, setAll] = useState(
    () => beginning !== undefined && wanted.length > 0 && endOf(text, wanted) > beginning.length,
  )
  return (
    <>
      <p className="turn-text" dir="auto">
        <Marked text={beginning === undefined || all ? text : `${beginning}…`} />
      </p>
      {beginning !== undefined && (
        <Button size="small" look="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('Show less') : t('Show all')}
        </Button>
      )}
    </>
  )
}
