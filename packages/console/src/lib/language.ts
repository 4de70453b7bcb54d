const LANGUAGE = 'language'

/** The language that was chosen; null for that of the browser. */
export const chosenLanguage = () => localStorage.getItem(LANGUAGE)

/** Pages are in it from the next load on. */
export function storeLanguage(language: string | null) {
  if (language === null) localStorage.removeItem(LANGUAGE)
  else localStorage.setItem(LANGUAGE, language)
}

/** Whether this page has the words of another language than the chosen one. */
export const isOtherLanguage = () =>
  ![null, document.documentElement.lang].includes(chosenLanguage())
