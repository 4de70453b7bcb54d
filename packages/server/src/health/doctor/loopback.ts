/** Whether a host name or address is this machine's own. */
export const isLoopback = (host: string) =>
  /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[?::1\]?)$/i.test(host)
