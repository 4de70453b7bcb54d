import type { Call } from '@switchroom/contract'

/** What a tab shows of a call. `account_sid`: whose call it is; null where its record does not say. */
export type PartProps = { call: Call; account_sid: string | null }
