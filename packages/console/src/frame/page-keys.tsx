import { lazy, Suspense, useEffect } from 'react'
import { singleKey } from '../lib/single-keys'

const KeySheet = lazy(async () => ({ default: (await import('./key-sheet')).KeySheet }))

/** The filter of the page's list: its text, or else the first thing in it. */
const filter = () =>
  document.querySelector<HTMLElement>('main search input[type=search]') ??
  document.querySelector<HTMLElement>('main search :is(input, select, button)')

/** The link to the form of the thing that the page is about; a row with the focus has its own. */
const edit = () =>
  document.activeElement?.closest('tr')
    ? null
    : document.querySelector<HTMLElement>(
        '[data-thing-head] [aria-keyshortcuts="e"]:not([aria-current])',
      )

/** The keys of every page: `/` goes to its filter, `e` to the form of its thing, `?` shows all keys. */
export function PageKeys({
  open,
  onOpen,
  onClose,
}: {
  open: boolean
  onOpen: () => void
  onClose: () => void
}) {
  useEffect(() => {
    const onKey = (e: KeyboardEvent) => {
      const key = singleKey(e)
      if (key === '?') onOpen()
      else if (key === '/' && filter()) filter()?.focus()
      else if (key === 'e' && edit()) edit()?.click()
      else return
      e.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [onOpen])
  return <Suspense>{open && <KeySheet onClose={onClose} />}</Suspense>
}
