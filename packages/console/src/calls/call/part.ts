import type { Call } from '@switchroom/contract'

/** Props of a tab of a call. `account_sid` is null if the record does not say whose call it is. */
export type PartProps = {
  call: Call
  account_sid: string | null
  /** What calls were searched by. */
  said?: string | undefined
  /** Whether it is in view, and not kept behind another part. */
  isShown?: boolean
}
