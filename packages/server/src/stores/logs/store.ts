/** A call, and the time span of its lines in milliseconds since 1970. */
export type Logged = {
  account_sid: string
  call_sid: string
  sip_callid: string | null
  from: number
  to: number
}

/** A store of the platform's logs. */
export type LogStore = {
  /**
   * The raw lines that mention the call, oldest first. Never a line that mentions another
   * account's. Throws `StoreUnavailable`.
   */
  find: (call: Logged, group: string) => Promise<string[]>
}
