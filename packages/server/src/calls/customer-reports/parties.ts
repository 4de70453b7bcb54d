/** A number, or the user part of a URI. */
export const partyOf = (text: string) =>
  text.replace(/^(?:sips?|tel):/i, '').split(/[@;]/, 1)[0] ?? ''

/** A phone number without punctuation, or a name in lower case: equal for the same party. */
export const normalizeParty = (text: string) =>
  /^\+?[\d\s().-]+$/.test(text) ? text.replace(/\D/g, '') : text.toLowerCase()
