import { type PhoneNumberItem, t } from '@switchroom/contract'
import { thingCell } from '../../lib/thing-link'

/** Cells with the names a number belongs to. */
export const names = {
  account: (n: PhoneNumberItem) =>
    thingCell('account', n.account_sid, n.account_name, t('Unassigned')),
  application: (n: PhoneNumberItem) =>
    thingCell('application', n.application_sid, n.application_name),
  carrier: (n: PhoneNumberItem) =>
    thingCell('voip_carrier', n.voip_carrier_sid, n.voip_carrier_name),
}
