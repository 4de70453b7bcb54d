/**
 * Closer, with chosen widths only as far as there is room, without minor columns, with words broken in cells, then in
 * headings, as `table.css` has them.
 */
const STEPS = ['', '1', '1 2', '1 2 3', '1 2 3 4', '1 2 3 4 5']

/** Ref of a box with a table. A table that is wider, which would cut the actions of its rows, gives way step by step. */
export function fitTable(box: HTMLElement | null) {
  const table = box?.querySelector('table')
  if (!box || !table?.tHead) return
  // whole pixels of a box are half a pixel less at most
  const isCut = () => table.getBoundingClientRect().width > box.clientWidth + 0.6
  const fit = () => {
    if (!box.dataset.tight && !isCut()) return
    for (const step of STEPS) {
      box.dataset.tight = step
      if (!isCut()) return
    }
  }
  // both call before the browser paints
  const size = new ResizeObserver(fit)
  size.observe(box)
  size.observe(table)
  // other columns or widths, which may leave a table that gave way as wide as it was
  const columns = new MutationObserver(fit)
  columns.observe(table.tHead, { attributeFilter: ['style'], childList: true, subtree: true })
  return () => {
    size.disconnect()
    columns.disconnect()
  }
}
