/**
 * A language that nobody speaks: each message stands in brackets, with accents and longer by a third. What is on screen
 * without brackets is in no catalogue, and what does not fit would not fit in German either. Runs in the browser, before
 * the page's scripts.
 */
export function pseudoCatalogue() {
  const ACCENTS: Record<string, string> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', c: 'ç', n: 'ñ' }
  const pseudo = (text: string) => {
    const accented = text.replace(/\{\w+\}|[aeioucn]/g, (part) => ACCENTS[part] ?? part)
    return `⟦${accented}${' ~~~~'.repeat(Math.floor(text.replace(/\{\w+\}/g, '').length / 15))}⟧`
  }
  const messages = new Proxy(
    {},
    {
      get: (_, text) =>
        typeof text === 'string' ? text.split('|').map(pseudo).join('|') : undefined,
      // nothing to match what the server says by
      ownKeys: () => [],
    },
  )
  Object.assign(globalThis, { catalogue: { language: 'en', messages } })
}

/** The texts on screen, and those for screen readers, that have words outside of the brackets. Runs in the browser. */
export function wordsOutside(): string[] {
  const CODE = 'code, pre, kbd, samp, svg, script, style, noscript, textarea'
  const outside = (text: string) => {
    let depth = 0
    let out = ''
    for (const char of text) {
      if (char === '⟦') depth++
      else if (char === '⟧') depth--
      else if (depth === 0) out += char
    }
    return out.replace(/\s+/g, ' ').trim()
  }
  // a message may stretch over several elements: what counts is the text of the block they stand in
  const blocks = new Map<Element, string>()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode
    if (!parentElement || parentElement.closest(CODE)) continue
    let block = parentElement
    while (getComputedStyle(block).display.startsWith('inline') && block.parentElement)
      block = block.parentElement
    blocks.set(block, `${blocks.get(block) ?? ''}${textContent}`)
  }
  const attributes = ['aria-label', 'title', 'placeholder', 'alt', 'aria-description'].flatMap(
    (name) =>
      [...document.body.querySelectorAll(`[${name}]`)].map((e) => e.getAttribute(name) ?? ''),
  )
  const found = [...blocks.values(), ...attributes].map(outside)
  return [...new Set(found)].filter((text) => /[A-Za-z]{3}/.test(text))
}
