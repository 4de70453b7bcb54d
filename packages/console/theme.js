// Runs before the first paint, as a file of its own: the page's policy allows no inline script.
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // storage may be blocked; the system's theme is then the right one
}
