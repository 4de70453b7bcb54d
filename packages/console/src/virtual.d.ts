declare module 'virtual:endpoints' {
  const endpoints: unknown
  export default endpoints
}

declare module 'virtual:vendor-names' {
  /** What the stored name of a vendor that accounts define begins with. */
  export const CUSTOM: string
  export const names: Record<string, string>
}
