import type { Progress } from '@switchroom/contract'
import { countText, type Noun } from './many-text'
import './many.css'

/** How far a change of many rows is. It counts only once it is done, which its report says. */
export function ManyProgress({ progress, noun }: { progress: Progress | undefined; noun: Noun }) {
  if (!progress) return null
  const { done, rows } = progress
  return (
    <div className="many-progress">
      <span className="numbers">
        {done < rows
          ? `${done.toLocaleString()} of ${countText(rows, noun)}…`
          : `Saving ${countText(rows, noun)}…`}
      </span>
      <progress aria-label="Progress" value={done} max={rows} />
    </div>
  )
}
