import { useEffect, useState } from 'react'

/** What was open once, with what is now: it stays mounted, with what was typed in it. */
export function useOpened(id: string | undefined): readonly string[] {
  const [opened, setOpened] = useState<readonly string[]>([])
  const all = id === undefined || opened.includes(id) ? opened : [...opened, id]
  useEffect(() => setOpened(all), [all])
  return all
}
