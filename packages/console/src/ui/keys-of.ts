/** Digits as keys. Anything else, such as a mask, is one. */
export const keysOf = (digits: string): string[] =>
  /^[\d*#a-d]+$/i.test(digits) ? [...digits] : [digits]
