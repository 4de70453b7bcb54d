import { nextPaint } from '../ui/next-paint'

/** Milliseconds in which a screen shows its sections. */
const PATIENCE = 10_000

/** Scrolls to the section with this heading once it is on screen, and focuses its first control. */
export function showSection(title: string) {
  const find = () =>
    [...document.querySelectorAll<HTMLElement>('main h2')]
      .find((h) => h.textContent === title)
      ?.closest('section')
  const observer = new MutationObserver(async () => {
    if (!find()) return
    observer.disconnect()
    // a new screen begins at its top, with the focus on itself
    await nextPaint()
    await nextPaint()
    const section = find()
    section?.querySelector<HTMLElement>('button, a, input')?.focus({ preventScroll: true })
    section?.scrollIntoView({ block: 'center' })
  })
  observer.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), PATIENCE)
}
