import { useEffect, useState } from 'react'

/** Ids opened so far, including the open one: each stays mounted, which keeps its input. */
export function useOpened(id: string | undefined): readonly string[] {
  const [opened, setOpened] = useState<readonly string[]>([])
  const all = id === undefined || opened.includes(id) ? opened : [...opened, id]
  useEffect(() => setOpened(all), [all])
  return all
}
