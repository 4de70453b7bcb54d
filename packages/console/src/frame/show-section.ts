/** Milliseconds in which a screen shows its sections. */
const PATIENCE = 10_000

/** Goes to the section with this heading once it is on screen, with the focus on the first that can be done there. */
export function showSection(title: string) {
  const find = () =>
    [...document.querySelectorAll<HTMLElement>('main h2')].find((h) => h.textContent === title)
  const show = () => {
    const section = find()?.closest('section')
    if (!section) return false
    section.scrollIntoView({ block: 'start' })
    section.querySelector<HTMLElement>('button, a, input')?.focus({ preventScroll: true })
    return true
  }
  const observer = new MutationObserver(() => {
    if (show()) observer.disconnect()
  })
  observer.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), PATIENCE)
}
