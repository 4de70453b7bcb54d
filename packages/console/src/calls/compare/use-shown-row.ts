import { useEffect, useMemo, useRef, useState } from 'react'
import { showRow } from '../recent-calls/conversation/use-row-keys'
import { differs, type Row } from './comparison'

/** The rows that are shown, and a way to one of all of them. */
export function useShownRow(all: readonly Row[], onlyDifferences: boolean, showAll: () => void) {
  const list = useRef<HTMLOListElement>(null)
  const rows = useMemo(() => (onlyDifferences ? all.filter(differs) : all), [all, onlyDifferences])
  const [wanted, setWanted] = useState<Row>()
  useEffect(() => {
    if (!wanted) return
    const index = rows.indexOf(wanted)
    if (index < 0) return
    showRow(list.current, index)
    setWanted(undefined)
  }, [wanted, rows])
  const show = (index: number) => {
    const row = all[index]
    if (row && !rows.includes(row)) showAll()
    setWanted(row)
  }
  return { rows, list, show }
}
