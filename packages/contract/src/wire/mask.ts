/** Returned in place of a secret. Sending it back keeps the stored value. */
export const MASK = '••••••••'
