import { ApiError, fromServer } from '@switchroom/contract'
import { messageOf } from './failure'

/** Why a change of many rows was refused, with each row that it is not possible for. */
export function RefusedRows({ error }: { error: unknown }) {
  // of a row, its kind and its name
  const rows =
    error instanceof ApiError ? error.body.issues.filter(({ path }) => path.length === 2) : []
  if (rows.length === 0) return messageOf(error)
  return (
    <>
      {error instanceof ApiError && fromServer(error.message)}
      <ul className="problems">
        {rows.map((row) => (
          <li key={row.path.join()}>
            {row.path.at(-1)}: {fromServer(row.message)}
          </li>
        ))}
      </ul>
    </>
  )
}
