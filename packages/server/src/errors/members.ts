/**
 * A member of something thrown; undefined when it is missing. Node, databases and vendors' libraries describe
 * errors by members of their own.
 */
export function errorMember(e: unknown, name: string): unknown {
  return typeof e === 'object' && e !== null ? Reflect.get(e, name) : undefined
}

/** A member of something thrown; undefined when it is missing or no text. */
export function errorText(e: unknown, name: string): string | undefined {
  const value = errorMember(e, name)
  return typeof value === 'string' ? value : undefined
}

/** A member of something thrown; undefined when it is missing or no number. */
export function errorNumber(e: unknown, name: string): number | undefined {
  const value = errorMember(e, name)
  return typeof value === 'number' ? value : undefined
}

/** The code of something thrown, such as `ENOENT`. */
export const errorCode = (e: unknown) => errorText(e, 'code')

/** The message of something thrown; other values as text. */
export const errorMessage = (e: unknown) => errorText(e, 'message') ?? String(e)
