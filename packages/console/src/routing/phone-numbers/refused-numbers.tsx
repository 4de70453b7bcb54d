import { ApiError } from '@switchroom/contract'
import { messageOf } from '../../lib/failure'

/** Why a change of many numbers was refused, with each number that it is not possible for. */
export function RefusedNumbers({ error }: { error: unknown }) {
  if (!error) return null
  const rows = error instanceof ApiError ? error.body.issues : []
  return (
    <>
      <p role="alert">{messageOf(error)}</p>
      {rows.length > 0 && (
        <ul className="problems">
          {rows.map((row) => (
            <li key={row.path.join()}>
              {row.path.at(-1)}: {row.message}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
