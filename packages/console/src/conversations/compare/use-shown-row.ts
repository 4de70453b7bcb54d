import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { showRow } from '../../calls/call/conversation/use-row-keys'
import { differs, type Row } from './comparison'

/** More than a screen shows. */
const FIRST = 60

/** The rows that are shown, and a way to one of all of them. */
export function useShownRow(all: readonly Row[], onlyDifferences: boolean, showAll: () => void) {
  const list = useRef<HTMLOListElement>(null)
  const rows = useMemo(() => (onlyDifferences ? all.filter(differs) : all), [all, onlyDifferences])
  // thousands come after the first, without holding up what is typed or clicked meanwhile
  const made = Math.max(useDeferredValue(rows.length, 0), FIRST)
  const [wanted, setWanted] = useState<Row>()
  useEffect(() => {
    if (!wanted) return
    const index = rows.indexOf(wanted)
    if (index < 0 || index >= made) return
    showRow(list.current, index)
    setWanted(undefined)
  }, [wanted, rows, made])
  const show = (index: number) => {
    const row = all[index]
    if (row && !rows.includes(row)) showAll()
    setWanted(row)
  }
  return { list, show, rows: rows.slice(0, made), count: rows.length }
}
