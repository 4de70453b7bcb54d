import { numberText, type Progress, t } from '@switchroom/contract'
import type { Noun } from './many-text'
import './many.css'

/** Progress of a change of many rows. It takes effect only when it is complete, which its report confirms. */
export function ManyProgress({ progress, noun }: { progress: Progress | undefined; noun: Noun }) {
  if (!progress) return null
  const { done, rows } = progress
  return (
    <div className="many-progress">
      <span className="numbers">
        {done < rows
          ? t('{done} of {things}…', { done: numberText(done), things: noun(rows) })
          : t('Saving {things}…', { things: noun(rows) })}
      </span>
      <progress aria-label={t('Progress')} value={done} max={rows} />
    </div>
  )
}
