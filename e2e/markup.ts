/**
 * An element of a screen, told apart by its markup and that of what it stands in, without what differs by chance: ids,
 * times and sids; nor with the provider that administrators' links lead to.
 */
export type Part = {
  /** Key of the element with all in it. */
  whole: number
  /** Key of the element, of its texts and of what its children are. */
  own: number
  children: Part[]
}

/** The screen without the frame around it. Runs in the browser. */
export function readParts(): Part {
  const main = document.querySelector('main')
  if (!main) throw new Error('There is no screen')
  const hash = (text: string) => {
    let [a, b] = [0xdeadbeef, 0x41c6ce57]
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      a = Math.imul(a ^ code, 2_654_435_761)
      b = Math.imul(b ^ code, 1_597_334_677)
    }
    a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909)
    b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909)
    return 2 ** 32 * (b & 0x1fffff) + (a >>> 0)
  }
  const plain = (text: string) =>
    text
      .replace(/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, 'sid')
      .replace(/_r_\w+_|\bDnd\w+-\d+/g, 'id')
      .replace(/\d{4}-\d\d-\d\dT[\d:%A.]+Z|\d\d:\d\d(?::\d\d)?/g, 'time')
      .replace(/(?:\d+|an?) (?:second|minute)s? ago|just now/g, 'a while ago')
      .replace(/\b\d+ ms\b/g, 'a moment')
  const REFERENCE = /^(?:for|aria-(?:labelledby|describedby|controls|owns|errormessage))$/
  const attribute = ({ name, value }: Attr) => {
    if (REFERENCE.test(name))
      return `${name}=${value.split(' ').map((id) => (document.getElementById(id) ? 'id' : 'none'))}`
    const link = name === 'href' ? value.replace(/([?&])service_provider=[^&]*&?/, '$1') : value
    return `${name}=${plain(link.replace(/[?&]$/, ''))}`
  }
  const tagOf = (element: Element) => {
    const entered = element.matches('input, select, textarea')
      ? plain(`${(element as HTMLInputElement).value} ${(element as HTMLInputElement).checked}`)
      : ''
    const attributes = [...element.attributes].filter(({ name }) => name !== 'data-new')
    return `<${element.tagName} ${attributes.map(attribute).join(' ')} ${entered}>`
  }
  const read = (element: Element, within: string): Part & { markup: string } => {
    const tag = tagOf(element)
    const chain = String(hash(within + tag))
    const children: (Part & { markup: string })[] = []
    let [markup, own] = [tag, tag]
    for (const node of element.childNodes)
      if (node instanceof Element) {
        const child = read(node, chain)
        children.push(child)
        markup += child.markup
        own += tagOf(node)
      } else {
        const text = plain(node.nodeValue ?? '')
        markup += text
        own += text
      }
    return { markup, whole: hash(within + markup), own: hash(`own ${within}${own}`), children }
  }
  const withoutMarkup = ({ whole, own, children }: Part): Part => ({
    whole,
    own,
    children: children.map(withoutMarkup),
  })
  return withoutMarkup(read(main, ''))
}

export const NEW = '[data-new]'
/** Marks the elements of these numbers, in the order of the screen, as `NEW`. Runs in the browser. */
export function markNew(numbers: number[]) {
  const all = [...document.querySelectorAll('main, main *')]
  for (const element of all) element.removeAttribute('data-new')
  for (const number of numbers) all[number]!.setAttribute('data-new', '')
}

/** The parts of screens that passed: what is the same on another screen need not be looked at again. */
export class PassedParts {
  readonly #keys = new Set<number>()

  /** True if a screen of the same markup passed: it has the same accessibility tree, colors and widths. */
  has = (screen: Part) => this.#keys.has(screen.whole)

  add(part: Part) {
    this.#keys.add(part.whole).add(part.own)
    for (const child of part.children) this.add(child)
  }

  /** Numbers of the elements that are new, or stand among others than before. All that is in them counts as new. */
  newOf(screen: Part) {
    const numbers: number[] = []
    let next = 0
    const size = (part: Part): number => part.children.reduce((sum, c) => sum + size(c), 1)
    const look = (part: Part) => {
      const isNew = !this.#keys.has(part.own)
      if (isNew) numbers.push(next)
      if (isNew || this.has(part)) {
        next += size(part)
        return
      }
      next++
      part.children.forEach(look)
    }
    look(screen)
    return numbers
  }
}
