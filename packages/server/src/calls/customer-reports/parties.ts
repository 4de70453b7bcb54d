/** A number, or the user part of a URI. */
export const partyOf = (text: string) =>
  text.replace(/^(?:sips?|tel):/i, '').split(/[@;]/, 1)[0] ?? ''
/** A number's common form in all notations. */
export const samePartyOf = (text: string) =>
  /^\+?[\d\s().-]+$/.test(text) ? text.replace(/\D/g, '') : text.toLowerCase()
