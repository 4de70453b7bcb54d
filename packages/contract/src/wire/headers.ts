/** Names the change that a response is about, if it can be undone exactly: `1041-1043`. */
export const UNDO_HEADER = 'x-undo'

/** The audit log entries of one change, by their positions in the log. Both ends are inclusive. */
export type ChangeEntries = { first: number; last: number }

export const undoHeader = ({ first, last }: ChangeEntries) => `${first}-${last}`

/** Undefined when the header is missing or names nothing. */
export function changeIn(header: string | null | undefined): ChangeEntries | undefined {
  const m = /^([1-9]\d{0,15})-([1-9]\d{0,15})$/.exec(header ?? '')
  return m ? { first: Number(m[1]), last: Number(m[2]) } : undefined
}

/**
 * Names a creation, so that it can be sent again: for a day, the same caller sending the same request with the same key
 * gets the first answer.
 */
export const IDEMPOTENCY_HEADER = 'idempotency-key'
/** Set on an answer that was given before. */
export const REPLAYED_HEADER = 'idempotent-replayed'

/** The media type of an answer that tells its progress, for those who accept it. */
export const PROGRESS_TYPE = 'application/x-ndjson'
