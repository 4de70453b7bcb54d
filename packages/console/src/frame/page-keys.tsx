import { lazy, Suspense, useEffect } from 'react'
import { singleKey } from '../lib/single-keys'

const KeySheet = lazy(async () => ({ default: (await import('./key-sheet')).KeySheet }))

/** The filter of the page's list: its text, or else the first thing in it. */
const filter = () =>
  document.querySelector<HTMLElement>('main search input[type=search]') ??
  document.querySelector<HTMLElement>('main search :is(input, select, button)')

/** The keys of every page: `/` goes to its filter, `?` shows all keys. */
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
      else return
      e.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [onOpen])
  return <Suspense>{open && <KeySheet onClose={onClose} />}</Suspense>
}
