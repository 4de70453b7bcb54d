import type { PhoneNumberItem } from '@switchroom/contract'
import type { ReactNode } from 'react'

const nameCell = (name: string | null, sid: string | null, none: string): ReactNode =>
  sid ? (name ?? sid) : <span className="none">{none}</span>

/** Cells with the names a number belongs to. */
export const names = {
  account: (n: PhoneNumberItem) => nameCell(n.account_name, n.account_sid, 'Unassigned'),
  application: (n: PhoneNumberItem) => nameCell(n.application_name, n.application_sid, 'None'),
  carrier: (n: PhoneNumberItem) => nameCell(n.voip_carrier_name, n.voip_carrier_sid, 'None'),
}
