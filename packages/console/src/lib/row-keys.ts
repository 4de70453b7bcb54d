import { isFreeKey, singleKey } from './single-keys'

const FILTER = 'main search input[type=search]'
const CONTROLS = 'a[href], button:not(:disabled), input:not(:disabled), [tabindex]'

const rowsOf = (body: HTMLTableSectionElement) =>
  [...body.rows].filter((row) => row.dataset.part !== 'detail')
const controlsOf = (row: HTMLElement) => [...row.querySelectorAll<HTMLElement>(CONTROLS)]
const visibleIn = (row: HTMLElement) => controlsOf(row).filter((c) => c.checkVisibility())
/** The row's link, or the button that opens it; a row without one has its actions. */
const mainOf = (row: HTMLElement) =>
  row.querySelector<HTMLElement>('[data-part=main]') ??
  visibleIn(row).find((c) => c.closest('[data-part=actions]')) ??
  visibleIn(row)[0]
/** The control in the same place of another row, whose other cells may have more or fewer. */
function sameIn(row: HTMLTableRowElement, control: HTMLElement) {
  const cell = control.closest('td')
  const other = cell && row.cells[cell.cellIndex]
  return other && visibleIn(other)[visibleIn(cell).indexOf(control)]
}

/**
 * Makes the rows of a table one tab stop, and what sorts them another, and lets keys move within them. The rows stay a plain
 * table to screen readers, which find every control in it as before. Returns how to end it.
 */
export function rowKeys(body: HTMLTableSectionElement) {
  /** The one control that Tab reaches. */
  let stop: HTMLElement | undefined
  const rowAt = (element: Element | null) =>
    element ? rowsOf(body).find((row) => row.contains(element)) : undefined

  function setStop(next: HTMLElement | undefined) {
    stop = next
    for (const row of rowsOf(body))
      for (const control of controlsOf(row)) {
        const tabIndex = control === stop ? 0 : -1
        if (control.tabIndex !== tabIndex) control.tabIndex = tabIndex
      }
  }
  const sorts = () => [
    ...(body.parentElement?.querySelectorAll<HTMLElement>('thead [data-part=sort]') ?? []),
  ]
  function followSorts() {
    const all = sorts()
    const stop =
      all.find((sort) => sort === document.activeElement) ??
      all.find((sort) => sort.getAttribute('tabindex') === '0') ??
      all[0]
    for (const sort of all) sort.tabIndex = sort === stop ? 0 : -1
  }
  function follow() {
    followSorts()
    const focused = document.activeElement
    const row = rowAt(focused) ?? rowAt(stop ?? null)
    if (row && focused instanceof HTMLElement && row.contains(focused)) setStop(focused)
    else setStop((row && mainOf(row)) ?? rowsOf(body).map(mainOf).find(Boolean))
  }

  const onFocusIn = (e: FocusEvent) => {
    if (rowAt(e.target as Element)) setStop(e.target as HTMLElement)
  }
  // Tab comes back to the row's link, wherever in the row the focus was
  const onFocusOut = (e: FocusEvent) => {
    const row = rowAt(e.target as Element)
    if (row && !rowAt(e.relatedTarget as Element | null)) setStop(mainOf(row))
  }

  function moveRow(by: number) {
    const rows = rowsOf(body).filter((row) => visibleIn(row).length > 0)
    const focused = document.activeElement
    const row = rowAt(focused)
    if (!row) return (rowAt(stop ?? null) ? stop : rows[0] && mainOf(rows[0]))?.focus()
    const next = rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(row) + by))]
    if (!next || next === row) return
    const isMain = focused === mainOf(row)
    const target = (!isMain && sameIn(next, focused as HTMLElement)) || mainOf(next)
    target?.focus()
  }
  function moveInRow(row: HTMLElement, by: number) {
    const controls = visibleIn(row)
    controls[controls.indexOf(document.activeElement as HTMLElement) + by]?.focus()
  }
  const isFirst = () => document.querySelector('main [data-row-keys]') === body
  function moveInHead(sort: HTMLElement, by: number) {
    const all = sorts()
    all[all.indexOf(sort) + by]?.focus()
    followSorts()
  }
  /** Handles a key. Returns true if it did something. */
  function act(e: KeyboardEvent): boolean {
    const sort = sorts().find((one) => one === document.activeElement)
    if (sort && /^Arrow(?:Left|Right)$/.test(e.key)) {
      moveInHead(sort, e.key === 'ArrowRight' ? 1 : -1)
      return true
    }
    const row = rowAt(document.activeElement)
    const onPage = e.target === document.body || document.getElementById('main') === e.target
    if (!row && !(onPage && isFirst())) return false
    const key = singleKey(e)
    if (key === 'j' || key === 'k') {
      moveRow(key === 'j' ? 1 : -1)
      return true
    }
    if (!row) return false
    const press = (selector: string) => {
      const found = row.querySelector<HTMLElement>(selector)
      found?.dispatchEvent(
        new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: e.shiftKey }),
      )
      return !!found
    }
    if (key?.toLowerCase() === 'x') return press('[data-part=check] input')
    if (key === 'e') return press('[aria-keyshortcuts="e"]')
    if (e.key === 'Delete') return press('[aria-keyshortcuts="Delete"]')
    // a menu's button opens on them
    const opens = document.activeElement?.ariaHasPopup
    if (e.shiftKey) return false
    if (e.key === 'ArrowDown' && !opens) moveRow(1)
    else if (e.key === 'ArrowUp' && !opens) moveRow(-1)
    else if (e.key === 'ArrowRight') moveInRow(row, 1)
    else if (e.key === 'ArrowLeft') moveInRow(row, -1)
    else if (e.key === 'Home') moveRow(Number.NEGATIVE_INFINITY)
    else if (e.key === 'End') moveRow(Number.POSITIVE_INFINITY)
    else return false
    return true
  }
  const onKey = (e: KeyboardEvent) => {
    const leavesFilter = e.key === 'ArrowDown' && (e.target as Element).matches(FILTER)
    if (leavesFilter && isFirst()) moveRow(1)
    else if (!isFreeKey(e) || !act(e)) return
    e.preventDefault()
  }

  body.dataset.rowKeys = ''
  follow()
  const observer = new MutationObserver(follow)
  observer.observe(body, { childList: true, subtree: true })
  body.addEventListener('focusin', onFocusIn)
  body.addEventListener('focusout', onFocusOut)
  addEventListener('keydown', onKey)
  return () => {
    delete body.dataset.rowKeys
    observer.disconnect()
    removeEventListener('keydown', onKey)
  }
}
