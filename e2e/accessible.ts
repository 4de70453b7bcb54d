import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
type Violation = { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }
type Axe = { run: (options: object) => Promise<{ violations: Violation[] }> }

/** WCAG 2.2 AA as far as a machine can tell. */
const ALL = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
}
/** Those of them that look at colours. The themes are one page in other colours: `screens.e2e.ts` says so. */
const OF_COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

const themes = new WeakMap<Page, Theme>()
type Theme = 'light' | 'dark'

/**
 * Every rule in the theme that the page is in, and those of colours in the other one as well, in which it is
 * left: to change it costs as much as to look.
 */
export async function expectAccessible(page: Page, what: string) {
  const now = themes.get(page) ?? 'light'
  const other = now === 'light' ? 'dark' : 'light'
  for (const [colorScheme, runOnly] of [
    [now, ALL],
    [other, OF_COLOURS],
  ] as const) {
    if (colorScheme === other) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      themes.set(page, other)
    }
    // runs through the debugger, so the page's own security policy stays in force
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
    const violations = await page.evaluate(async (runOnly) => {
      // after a change the browser works out inherited colours anew only when it has to: make it
      if (runOnly.type === 'rule') {
        document.body.style.display = 'none'
        document.body.getBoundingClientRect()
        document.body.style.display = ''
      }
      const frame = () => new Promise(requestAnimationFrame)
      await frame()
      await frame()
      const ending = document
        .getAnimations()
        .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
      await Promise.allSettled(ending.map((animation) => animation.finished))
      await frame()
      const { axe } = window as unknown as { axe: Axe }
      return (await axe.run({ runOnly, resultTypes: ['violations'] })).violations
    }, runOnly)
    const found = violations.map(
      (v) => `${v.id}: ${v.help}\n${v.nodes.map((n) => `  ${n.html.slice(0, 200)}`).join('\n')}`,
    )
    expect(found, `${what}, ${colorScheme}`).toEqual([])
  }
}

/** At 320 px nothing reaches beyond the right edge. */
export async function expectNoSidewaysScroll(page: Page, what: string) {
  const before = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 800 })
  // what measures itself draws once more: it has settled when it stays as it is for some frames
  const width = await page.evaluate(async () => {
    const now = () => document.scrollingElement?.scrollWidth ?? 0
    let last = -1
    for (let same = 0, frames = 0; same < 5 && frames < 100; frames++) {
      await new Promise(requestAnimationFrame)
      same = innerWidth === 320 && now() === last ? same + 1 : 0
      last = now()
    }
    return last
  })
  expect(width, `${what} at 320 px`).toBeLessThanOrEqual(320)
  if (before) await page.setViewportSize(before)
}
