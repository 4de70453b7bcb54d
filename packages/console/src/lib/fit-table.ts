/** Closer, without minor columns, with words broken in cells, then in headings, as `table.css` has them. */
const STEPS = ['', '1', '1 2', '1 2 3', '1 2 3 4']

/** Ref of a box with a table. A table that is wider, which would cut the actions of its rows, gives way step by step. */
export function fitTable(box: HTMLElement | null) {
  const table = box?.querySelector('table')
  if (!box || !table) return
  // whole pixels of a box are half a pixel less at most
  const isCut = () => table.getBoundingClientRect().width > box.clientWidth + 0.6
  // called before the browser paints
  const observer = new ResizeObserver(() => {
    if (!box.dataset.tight && !isCut()) return
    for (const step of STEPS) {
      box.dataset.tight = step
      if (!isCut()) return
    }
  })
  observer.observe(box)
  observer.observe(table)
  return () => observer.disconnect()
}
