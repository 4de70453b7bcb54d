/** A member that has no value yet, for defaults whose type is read off them. */
export const unset = <T>(): T | undefined => undefined

/** What tells a row of a form from the others; nothing of it is sent. */
export const newKey = (): string => crypto.randomUUID()
