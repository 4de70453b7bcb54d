import { t } from '../wire/text.ts'

/** Values that a call record has in place of a carrier. */
const PEERS = new Map([
  ['user', t('SIP clients')],
  ['sipUri', t('SIP addresses')],
])

/** In place of a carrier: those on the other side of a call that no carrier brought. */
export const peersOf = (trunk: string | null) => (trunk === null ? undefined : PEERS.get(trunk))

/** The carrier of a call record, as people read it. */
export const trunkText = (trunk: string) => PEERS.get(trunk) ?? trunk
