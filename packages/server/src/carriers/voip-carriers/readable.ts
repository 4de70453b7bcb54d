import { MASK, membersOf, type VoipCarrier } from '@switchroom/contract'
import type { Selectable } from 'kysely'
import type { Tables } from '../../db/open.ts'

/** A stored carrier. */
export type Row = Selectable<Tables['voip_carriers']>

export const PASSWORDS = [
  'register_password',
  'inbound_auth_password',
  'smpp_password',
  'smpp_inbound_password',
] as const

/** Removes passwords, for lists and for accounts that read a shared carrier. */
export const masked = <R extends Pick<Row, (typeof PASSWORDS)[number]>>(row: R): R => ({
  ...row,
  ...Object.fromEntries(PASSWORDS.map((p) => [p, row[p] && MASK])),
})

export const readable = (row: Row): VoipCarrier => ({
  ...row,
  register_status: registerStatus(row.register_status),
})

function registerStatus(stored: string | null): Record<string, unknown> {
  try {
    return membersOf(JSON.parse(stored ?? '{}'))
  } catch {
    return {}
  }
}
