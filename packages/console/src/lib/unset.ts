/** Undefined with a type, for default values whose type is inferred. */
export const unset = <T>(): T | undefined => undefined

/** A React key for a new row of a form; not sent. */
export const newKey = (): string => crypto.randomUUID()
