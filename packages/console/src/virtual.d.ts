declare module 'virtual:endpoints' {
  const endpoints: unknown
  export default endpoints
}

declare module 'virtual:vendor-names' {
  /** The beginning of the stored name of a vendor that accounts define. */
  export const CUSTOM: string
  export const names: Record<string, string>
}
