import type { Page } from 'playwright-core'
import { isRecording, recordSaid } from '../scripts/record-said.ts'
import { patterns } from '../scripts/sentences.ts'

const MARK = 'said: '

/** Runs in the page: logs each sentence of the specification that comes on screen. */
function listen({ mark, sources }: { mark: string; sources: string[] }) {
  const LONGEST = 300
  const MOST_CHILDREN = 8
  const patterns = sources.map((source) => new RegExp(source))
  const heard = new Set<string>()
  function hear(text: string | null) {
    const line = text?.replace(/\s+/g, ' ').trim()
    if (!line || line.length > LONGEST || heard.has(line)) return
    heard.add(line)
    if (patterns.some((pattern) => pattern.test(line))) console.debug(mark + line)
  }
  function look(node: Node) {
    if (!(node instanceof Element)) return hear(node.nodeValue)
    if (node.childElementCount <= MOST_CHILDREN) hear(node.textContent)
    for (const name of ['placeholder', 'aria-label']) hear(node.getAttribute(name))
    for (const child of node.childNodes) look(child)
  }
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      for (const node of addedNodes) look(node)
      const element = target instanceof Element ? target : target.parentElement
      if (element && element.childElementCount <= MOST_CHILDREN) hear(element.textContent)
    }
  }).observe(document, { childList: true, characterData: true, subtree: true })
}

/** Records which sentences of the specification a page shows. */
export async function hearPage(page: Page) {
  if (!isRecording) return
  page.on('console', (m) => {
    if (m.type() === 'debug' && m.text().startsWith(MARK)) recordSaid(m.text().slice(MARK.length))
  })
  const sources = patterns().map(([, source]) => source!)
  await page.addInitScript(listen, { mark: MARK, sources })
}
