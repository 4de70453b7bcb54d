/** English with commas. India and South Africa group otherwise. */
const HAS_COMMAS = /^en(?:-(?:US|GB|CA|AU|NZ|IE))?$/

/**
 * A number with its digits in groups, as is usual where the user is. For most users of English without Intl, for whose
 * first number or date a page takes 12 ms.
 */
export const countText = (n: number, language = navigator.language) =>
  HAS_COMMAS.test(language)
    ? String(n).replace(/\B(?=(?:\d{3})+$)/g, ',')
    : n.toLocaleString(language)
