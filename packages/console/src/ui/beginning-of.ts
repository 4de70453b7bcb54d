/** More than this of a text is shown on request. */
const SHOWN = 1_000

/** The beginning of a long text, without half a character at its end; undefined if it is short. */
export const beginningOf = (text: string): string | undefined =>
  text.length > SHOWN * 1.1 ? text.slice(0, SHOWN).replace(/[\uD800-\uDBFF]$/, '') : undefined
