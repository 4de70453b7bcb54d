import { readFileSync } from 'node:fs'

const GERMAN = new URL('../packages/console/languages/de.json', import.meta.url)

/** Makes the catalogue of a language that nobody speaks. Runs in the browser, before the page's scripts. */
function pseudoCatalogue(german: Record<string, string>) {
  const lengthOf = (text: string) => text.replace(/\{\w+\}/g, '').length
  const pseudo = (english: string, text: string) => {
    const missing = Math.floor(lengthOf(english) / 15) * 5 - lengthOf(text) + lengthOf(english)
    return `\u2062${text}${' ~~~~'.repeat(Math.max(0, Math.floor(missing / 5)))}\u2063`
  }
  const pseudoForms = (english: string) => {
    const forms = english.split('|')
    return (german[english] ?? english)
      .split('|')
      .map((text, i) => pseudo(forms[i] ?? english, text))
      .join('|')
  }
  const messages = new Proxy(german, {
    get: (_, text) => (typeof text === 'string' ? pseudoForms(text) : undefined),
    // nothing to match what the server says by
    ownKeys: () => [],
  })
  Object.assign(globalThis, { catalogue: { language: 'en', messages } })
}

/**
 * A catalogue as a script, in which each message stands in invisible brackets: what is on screen without them is in no
 * catalogue. It is German, and where that is not longer than English by a third, it is made so. Numbers and dates are
 * English.
 */
export const pseudoLanguage = () => `(${pseudoCatalogue})(${readFileSync(GERMAN, 'utf8')})`

/** The texts on screen, and those for screen readers, that have words outside of those brackets. Runs in the browser. */
export function wordsOutside(): string[] {
  const CODE = 'code, pre, kbd, samp, svg, script, style, noscript, textarea'
  const outside = (text: string) => {
    let depth = 0
    let out = ''
    for (const char of text) {
      if (char === '\u2062') depth++
      else if (char === '\u2063') depth--
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
