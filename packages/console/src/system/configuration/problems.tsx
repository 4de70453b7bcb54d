import type { Place, Problem } from '@switchroom/config/problem'
import { plural } from '@switchroom/contract'
import { Button } from '../../ui/button'
import { problemText } from './comparison'

const SHOWN = 50

/** Problems in files, each with a link to its line. */
export function Problems({
  problems,
  onShow,
}: {
  problems: readonly Problem[]
  onShow: (place: Place) => void
}) {
  const more = problems.length - SHOWN
  return (
    <ul className="config-problems">
      {problems.slice(0, SHOWN).map((problem) => {
        const { file, line = 1, text } = problem
        return (
          <li key={`${file}:${line} ${text}`}>
            {file && <PlaceButton place={{ file, line }} onShow={onShow} />} {problemText(problem)}
          </li>
        )
      })}
      {more > 0 && <li>{plural(more, 'and 1 more|and {n} more')}</li>}
    </ul>
  )
}

export const PlaceButton = ({
  place,
  onShow,
}: {
  place: Place
  onShow: (place: Place) => void
}) => (
  <Button size="small" look="quiet" onClick={() => onShow(place)}>
    {`${place.file}:${place.line}`}
  </Button>
)
