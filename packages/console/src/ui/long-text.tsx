import { t } from '@switchroom/contract'
import { useState } from 'react'
import { beginningOf } from './beginning-of'
import { Button } from './button'

/** What was said, in whatever direction it is written. A long text is cut until all of it is wanted. */
export function LongText({ text }: { text: string }) {
  const [all, setAll] = useState(false)
  const beginning = beginningOf(text)
  return (
    <>
      <p className="turn-text" dir="auto">
        {beginning === undefined || all ? text : `${beginning}…`}
      </p>
      {beginning !== undefined && (
        <Button size="small" look="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('Show less') : t('Show all')}
        </Button>
      )}
    </>
  )
}
