import { timeParts } from './call-words'

/** A moment to the second in a list: the day above its time where there is little room. */
export function Moment({ at }: { at: string }) {
  const [day, clock] = timeParts(at)
  return (
    <time className="moment numbers" dateTime={at}>
      <span>{day}</span>
      <span>{clock}</span>
    </time>
  )
}
