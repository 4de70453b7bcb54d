import { type AuditKind, type ChangeEntries, plural, t } from '@switchroom/contract'
import { toastError, toastSuccess } from '../ui/toast'
import { queryClient, send } from './api'
import { type Reply, undo } from './endpoints'
import { messageOf, statusOf } from './failure'
import { phoneText } from './phone-format'

// loaded when something is to be undone

type Texts = Record<'deleted' | 'changed', (count: number, name: string) => string>

const TEXTS: Partial<Record<AuditKind, Texts>> = {
  application: {
    deleted: (n, name) =>
      plural(n, 'Undone: deletion of application {name}|Undone: deletion of {n} applications', {
        name,
      }),
    changed: (n, name) =>
      plural(n, 'Undone: change to application {name}|Undone: change to {n} applications', {
        name,
      }),
  },
  client: {
    deleted: (n, name) =>
      plural(n, 'Undone: deletion of SIP client {name}|Undone: deletion of {n} SIP clients', {
        name,
      }),
    changed: (n, name) =>
      plural(n, 'Undone: change to SIP client {name}|Undone: change to {n} SIP clients', { name }),
  },
  lcr: {
    deleted: (n, name) =>
      plural(n, 'Undone: deletion of routing table {name}|Undone: deletion of {n} routing tables', {
        name,
      }),
    changed: (n, name) =>
      plural(n, 'Undone: change to routing table {name}|Undone: change to {n} routing tables', {
        name,
      }),
  },
  ms_teams_tenant: {
    deleted: (n, name) =>
      plural(
        n,
        'Undone: deletion of Microsoft Teams tenant {name}|Undone: deletion of {n} Microsoft Teams tenants',
        { name },
      ),
    changed: (n, name) =>
      plural(
        n,
        'Undone: change to Microsoft Teams tenant {name}|Undone: change to {n} Microsoft Teams tenants',
        { name },
      ),
  },
  phone_number: {
    deleted: (n, name) =>
      plural(n, 'Undone: deletion of phone number {name}|Undone: deletion of {n} phone numbers', {
        name,
      }),
    changed: (n, name) =>
      plural(n, 'Undone: change to phone number {name}|Undone: change to {n} phone numbers', {
        name,
      }),
  },
}

async function undoneText({ action, kind, name, count }: Reply<typeof undo.change>) {
  const text = TEXTS[kind]?.[action === 'delete' ? 'deleted' : 'changed']
  return text?.(count, kind === 'phone_number' ? await phoneText(name) : name) ?? t('Undone')
}

/** Undoes a change, and says what was undone or why not. Resolves to whether it was. */
export async function undoChange(change: ChangeEntries): Promise<boolean> {
  try {
    const undone = await send(undo.change, { body: change })
    void queryClient.invalidateQueries()
    toastSuccess(await undoneText(undone))
    return true
  } catch (e) {
    const isRefused = statusOf(e) !== undefined
    toastError(isRefused ? t('Not undone. {message}', { message: messageOf(e) }) : messageOf(e))
    return false
  }
}
