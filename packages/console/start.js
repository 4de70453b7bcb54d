// Runs before the first paint and before all modules, as a file of its own: the page's policy allows no inline script.
{
  const stored = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      // storage may be blocked; the system's choice is then the right one
      return null
    }
  }

  const theme = stored('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme

  const catalogues = {} /* catalogues */
  // for whoever logs in, and may have chosen another one
  document.documentElement.dataset.languages = ['en', ...Object.keys(catalogues)].join(' ')
  const language = [stored('language'), ...navigator.languages]
    .map((name) => name?.slice(0, 2))
    .find((name) => name === 'en' || name in catalogues)
  if (language in catalogues) {
    document.documentElement.lang = language
    if (/^(?:ar|fa|he|ur)$/.test(language)) document.documentElement.dir = 'rtl'
    // only a deferred script that the parser meets is sure to run before the page's modules
    document.write(`<script defer src="${catalogues[language]}"></script>`)
  }
}
