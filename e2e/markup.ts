/**
 * The markup of the screen, without the frame around it, and without what differs by chance: ids, times and sids; nor
 * with the provider that administrators' links lead to. Two screens of the same markup have the same accessibility tree,
 * colors and widths. Runs in the browser.
 */
export function markupOfScreen() {
  const main = document.querySelector('main')
  if (!main) throw new Error('There is no screen')
  // what is entered is no attribute
  for (const field of main.querySelectorAll<HTMLInputElement>('input, select, textarea'))
    field.dataset.entered = `${field.value} ${field.checked}`
  const names = new Map<string, string>()
  const inOrder = (id: string) => {
    if (!names.has(id)) names.set(id, `id-${names.size}`)
    return names.get(id)!
  }
  return main.outerHTML
    .replace(/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, 'sid')
    .replace(/_r_\w+_|\bDnd\w+-\d+/g, inOrder)
    .replace(/(\?|&amp;)service_provider=sid(?:&amp;)?/g, '$1')
    .replace(/(?:\?|&amp;)(?=")/g, '')
    .replace(/\b\d+ ms\b/g, 'a moment')
    .replace(/\d{4}-\d\d-\d\dT[\d:%A.]+Z|\d\d:\d\d(?::\d\d)?/g, 'time')
    .replace(/(?:\d+|an?) (?:second|minute)s? ago|just now/g, 'a while ago')
}
