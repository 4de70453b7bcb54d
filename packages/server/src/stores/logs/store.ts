/** Which lines: of this call, between two moments in milliseconds since 1970. */
export type Logged = {
  account_sid: string
  call_sid: string
  sip_callid: string | null
  from: number
  to: number
}

/** Where the platform's components log. */
export type LogStore = {
  /**
   * The lines that name the call, oldest first, as they were written. Never a line that names another
   * account's. Throws `StoreUnavailable`.
   */
  find: (call: Logged, group: string) => Promise<string[]>
}
