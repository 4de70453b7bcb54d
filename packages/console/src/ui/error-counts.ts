import { type RefObject, useEffect, useState } from 'react'

type Counts = Record<string, number>

/**
 * Counts the fields with errors in each part of a form. Reads the DOM, so that every field counts,
 * whichever component rendered it.
 */
export function useErrorCounts(
  box: RefObject<HTMLElement | null>,
  parts: string,
  key: string,
): Counts {
  const [counts, setCounts] = useState<Counts>({})
  useEffect(() => {
    const root = box.current
    if (!root) return
    const count = () => {
      const counts: Counts = {}
      for (const part of root.querySelectorAll<HTMLElement>(parts)) {
        const n = part.querySelectorAll('[aria-invalid="true"]').length
        if (n) counts[part.dataset[key] ?? ''] = n
      }
      setCounts((old) => (JSON.stringify(old) === JSON.stringify(counts) ? old : counts))
    }
    count()
    const observer = new MutationObserver(count)
    observer.observe(root, { subtree: true, childList: true, attributeFilter: ['aria-invalid'] })
    return () => observer.disconnect()
  }, [box, parts, key])
  return counts
}
