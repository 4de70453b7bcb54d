/** A value of the audit log, as text; empty if there is none. */
export const valueText = (value: unknown) =>
  value === undefined || value === null || value === ''
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value, null, 1)
      : String(value)
