import type { Call } from '@switchroom/contract'

/** Props of a tab of a call. `account_sid` is null if the record does not say whose call it is. */
export type PartProps = {
  call: Call
  account_sid: string | null
  /** Words that the calls were searched by. */
  said?: string | undefined
  /** True if this part is in view, not hidden behind another. */
  isShown?: boolean
}
