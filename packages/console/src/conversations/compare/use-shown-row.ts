import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { showRow } from '../../calls/call/conversation/use-row-keys'
import { differs, type Row } from './comparison'

/** Rows rendered first: more than fit on a screen. */
const FIRST = 60

/** The rows rendered so far, and a function that shows any row. */
export function useShownRow(all: readonly Row[], onlyDifferences: boolean, showAll: () => void) {
  const list = useRef<HTMLOListElement>(null)
  const rows = useMemo(() => (onlyDifferences ? all.filter(differs) : all), [all, onlyDifferences])
  // the rest may be thousands: they render without blocking keys and clicks
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
