/** Characters that nobody sees, for a character class: soft hyphens, zero-width ones, marks of writing directions. */
export const UNSEEN = '\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff'
