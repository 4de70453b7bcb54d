import { t } from '@switchroom/contract'
import { useId } from 'react'
import { Button } from '../../ui/button'
import type { Row } from './comparison'
import { recordsDiffer, summaryOf } from './summary'
import type { Side } from './use-side'

/** How the calls differ in a few sentences, each with a button that shows where. */
export function Summary({
  a,
  b,
  rows,
  isLoading,
  onShow,
}: {
  a: Side
  b: Side
  rows: readonly Row[]
  isLoading: boolean
  onShow: (row: number) => void
}) {
  const heading = useId()
  if (isLoading || !a.call || !b.call) return null
  const isSame = a.id === b.id
  const told = [
    ...(isSame ? [{ text: t('Both sides show the same call.'), row: null }] : []),
    ...recordsDiffer(a.call, b.call),
    ...(a.conversation && b.conversation ? summaryOf(rows, a.conversation, b.conversation) : []),
  ]
  if (told.length === 0) return null
  return (
    <section className="compare-summary" aria-labelledby={heading}>
      <h2 id={heading}>{t('How they differ')}</h2>
      <ul>
        {told.map(({ text, row }) => (
          <li key={text}>
            <span>{text}</span>
            {row !== null && (
              <Button
                size="small"
                look="quiet"
                aria-label={t('Show: {text}', { text })}
                onClick={() => onShow(row)}
              >
                {t('Show')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
