import type { PhoneNumberItem } from '@switchroom/contract'
import type { ReactNode } from 'react'

const show = (name: string | null, sid: string | null, none: string): ReactNode =>
  sid ? (name ?? sid) : <span className="none">{none}</span>

/** Cells with the names a number belongs to. */
export const names = {
  account: (n: PhoneNumberItem) => show(n.account_name, n.account_sid, 'Unassigned'),
  application: (n: PhoneNumberItem) => show(n.application_name, n.application_sid, 'None'),
  carrier: (n: PhoneNumberItem) => show(n.voip_carrier_name, n.voip_carrier_sid, 'None'),
}
