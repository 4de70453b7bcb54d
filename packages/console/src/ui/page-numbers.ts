export type PageItem = { page: number; jump?: true }

const NEIGHBOURS = 1
const JUMP = 3
const ENDS = 4

/** Page links: both ends, neighbours, more near an end, and jumps across gaps. */
export function pageItems(page: number, pages: number): PageItem[] {
  const visible = new Set([1, pages])
  for (let p = page - NEIGHBOURS; p <= page + NEIGHBOURS; p++) visible.add(p)
  if (page <= ENDS) for (let p = 1; p <= ENDS; p++) visible.add(p)
  if (page > pages - ENDS) for (let p = pages - ENDS + 1; p <= pages; p++) visible.add(p)
  const items: PageItem[] = []
  let last = 0
  for (const p of [...visible].filter((p) => p >= 1 && p <= pages).sort((a, b) => a - b)) {
    if (p === last + 2) items.push({ page: last + 1 })
    else if (p > last + 2) {
      // a gap before the current page jumps back, one after it forward
      const to = p <= page ? Math.max(1, page - JUMP) : Math.min(pages, page + JUMP)
      items.push({ page: to, jump: true })
    }
    items.push({ page: p })
    last = p
  }
  return items
}
