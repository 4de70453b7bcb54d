import { changeIn, UNDO_HEADER } from '@switchroom/contract'
import { toastError, type Undo } from '../ui/toast'
import { sendVia } from './api'
import type { Endpoint, Reply, Sent } from './endpoints'
import { messageOf } from './failure'
import { fetchTransport } from './transport'

/** A reply, and how to undo what it reports, if that can be undone exactly. */
export type Changed<E extends Endpoint> = { reply: Reply<E>; undo: Undo | undefined }

/** Calls an endpoint that changes something. */
export async function sendChange<E extends Endpoint>(e: E, sent: Sent<E>): Promise<Changed<E>> {
  let header: string | null | undefined
  const reply = await sendVia(
    async (...request) => {
      const answer = await fetchTransport(...request)
      header = answer.header?.(UNDO_HEADER)
      return answer
    },
    e,
    sent,
  )
  return { reply, undo: undoIn(header) }
}

export function undoIn(header: string | null | undefined): Undo | undefined {
  const change = changeIn(header)
  return (
    change &&
    (() =>
      import('./undo').then(
        ({ undoChange }) => undoChange(change),
        (error: unknown) => {
          toastError(messageOf(error))
          return false
        },
      ))
  )
}
