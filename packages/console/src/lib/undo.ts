import type { AuditKind, ChangeEntries } from '@switchroom/contract'
import { toastError, toastSuccess } from '../ui/toast'
import { queryClient, send } from './api'
import { type Reply, undo } from './endpoints'
import { messageOf, statusOf } from './failure'
import { phoneText } from './phone-format'

// loaded when something is to be undone

const NAMES: Partial<Record<AuditKind, string>> = {
  application: 'application',
  client: 'SIP client',
  ms_teams_tenant: 'Microsoft Teams tenant',
  phone_number: 'phone number',
}

async function undoneText({ action, kind, name, count }: Reply<typeof undo.change>) {
  const what = NAMES[kind] ?? ''
  const done = action === 'delete' ? 'deletion of' : 'change to'
  if (count > 1) return `Undone: ${done} ${count.toLocaleString()} ${what}s`
  return `Undone: ${done} ${what} ${kind === 'phone_number' ? await phoneText(name) : name}`
}

/** Undoes a change, and says what was undone or why not. */
export async function undoChange(change: ChangeEntries) {
  try {
    const undone = await send(undo.change, { body: change })
    void queryClient.invalidateQueries()
    toastSuccess(await undoneText(undone))
  } catch (e) {
    const isRefused = statusOf(e) !== undefined
    toastError(isRefused ? `Not undone. ${messageOf(e)}` : messageOf(e))
  }
}
