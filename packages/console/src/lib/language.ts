const LANGUAGE = 'language'

/** The language that was chosen; null for that of the browser. */
export const chosenLanguage = () => localStorage.getItem(LANGUAGE)

/** Pages are in it from the next load on. */
export function storeLanguage(language: string | null) {
  if (language === null) localStorage.removeItem(LANGUAGE)
  else localStorage.setItem(LANGUAGE, language)
}

/** True if the next load of this page would be in another language, as `start.js` decides. */
export function isOtherLanguage() {
  const { lang, dataset } = document.documentElement
  const known = dataset.languages?.split(' ') ?? []
  const next = [chosenLanguage(), ...navigator.languages]
    .map((name) => name?.slice(0, 2))
    .find((name) => name !== undefined && known.includes(name))
  return next !== undefined && next !== lang
}

/** Goes on after a log-in: by a load where the user has chosen another language than that of this page. */
export async function goOn(
  href: string,
  navigate: (to: { href: string; replace: true }) => Promise<unknown>,
) {
  if (isOtherLanguage()) location.replace(href)
  else await navigate({ href, replace: true })
}
