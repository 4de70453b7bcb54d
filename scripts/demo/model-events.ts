import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { readEvent } from '../../packages/server/src/conversations/model-sessions/read-event.ts'
import type { PlannedCall } from './planned-call.ts'

/**
 * Stores the events of calls' model sessions as of the time they came. The server takes them only while a call goes on or
 * shortly after, and the demo begins with calls of yesterday.
 */
export class ModelEvents {
  #file: string

  constructor(folder: string) {
    this.#file = join(folder, 'switchroom.db')
  }

  store(calls: readonly PlannedCall[]) {
    const told = calls.filter(({ story }) => story?.events)
    if (told.length === 0) return
    const database = new DatabaseSync(this.#file)
    try {
      database.exec('pragma busy_timeout = 30000; begin immediate')
      const ofCall = database.prepare(
        `insert or ignore into switchroom_model_calls
           (account_sid, call_sid, events, checked_at, seen_at, is_found) values (?, ?, ?, ?, ?, 0)`,
      )
      const ofEvent = database.prepare(
        `insert or ignore into switchroom_model_events
           (account_sid, call_sid, event, number, at, parts) values (?, ?, ?, ?, ?, ?)`,
      )
      for (const call of told) {
        const { account, call_sid } = call
        const rows = rowsOf(call)
        if (rows.length === 0) continue
        const last = rows.at(-1)!.at
        ofCall.run(account.sid, call_sid, rows.length, last, last)
        for (const [i, { at, parts }] of rows.entries()) {
          const name = createHash('sha256').update(`${call_sid} ${i}`).digest('hex')
          ofEvent.run(account.sid, call_sid, name, i + 1, at, parts)
        }
      }
      database.exec('commit')
    } finally {
      // undoes what was not committed
      database.close()
    }
  }
}

/** Events in order of arrival, without those after a hang-up from outside and those that tell nothing. */
const rowsOf = ({ at, ended_at, story }: PlannedCall) =>
  story!
    .events!.toSorted((a, b) => a.at - b.at)
    .map(({ at: ms, event }) => ({ at: at + ms, parts: readEvent(event)?.parts ?? [] }))
    .filter((row) => row.parts.length > 0 && row.at <= ended_at)
    .map((row) => ({ at: row.at, parts: JSON.stringify(row.parts) }))
