/** A number, or the user part of a URI. */
export const partyOf = (text: string) =>
  text.replace(/^(?:sips?|tel):/i, '').split(/[@;]/, 1)[0] ?? ''
/** What is the same of a number in all of its notations. */
export const samePartyOf = (text: string) =>
  /^\+?[\d\s().-]+$/.test(text) ? text.replace(/\D/g, '') : text.toLowerCase()
