import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
type Violation = { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }
type Axe = { run: (within: string, options: object) => Promise<{ violations: Violation[] }> }

/** The rules for WCAG 2.2 AA that can be checked automatically. */
const ALL_RULES = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
}
/** The rules about colors. The themes differ in nothing else, which `screens.e2e.ts` checks. */
const COLOR_RULES = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

const themes = new WeakMap<Page, Theme>()
type Theme = 'light' | 'dark'

/**
 * Checks every rule in the page's current theme and the color rules in the other one. Leaves the page in the
 * other theme, because switching back is as slow as a check. With `within`, a selector, checks only what is in there.
 */
export async function expectAccessible(page: Page, what: string, within = 'html') {
  const now = themes.get(page) ?? 'light'
  const other = now === 'light' ? 'dark' : 'light'
  for (const [colorScheme, runOnly] of [
    [now, ALL_RULES],
    [other, COLOR_RULES],
  ] as const) {
    if (colorScheme === other) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      themes.set(page, other)
    }
    // runs through the debugger, so the page's own security policy stays in force
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
    const violations = await page.evaluate(
      async ([runOnly, within]) => {
        // force the browser to recompute inherited colors after the theme change
        if (runOnly.type === 'rule') {
          document.body.style.display = 'none'
          document.body.getBoundingClientRect()
          document.body.style.display = ''
        }
        const frame = () => new Promise(requestAnimationFrame)
        await frame()
        await frame()
        const finite = document
          .getAnimations()
          .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
        await Promise.allSettled(finite.map((animation) => animation.finished))
        await frame()
        const { axe } = window as unknown as { axe: Axe }
        return (await axe.run(within, { runOnly, resultTypes: ['violations'] })).violations
      },
      [runOnly, within] as const,
    )
    const found = violations.map(
      (v) => `${v.id}: ${v.help}\n${v.nodes.map((n) => `  ${n.html.slice(0, 200)}`).join('\n')}`,
    )
    expect(found, `${what}, ${colorScheme}`).toEqual([])
  }
}

/** Expects no horizontal scrolling at 320 px. */
export async function expectNoSidewaysScroll(page: Page, what: string) {
  const before = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 800 })
  // elements that measure themselves render again; settled means unchanged for five frames
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

/** Checks that text has a contrast of 7:1 in both themes, for people who ask their system for more contrast. */
export async function expectHighContrast(page: Page, what: string) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, contrast: 'more', reducedMotion: 'reduce' })
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
    const poor = await page.evaluate(async () => {
      // force the browser to recompute inherited colors after the change
      document.body.style.display = 'none'
      document.body.getBoundingClientRect()
      document.body.style.display = ''
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
      const { axe } = window as unknown as { axe: Axe }
      const runOnly = { type: 'rule', values: ['color-contrast-enhanced'] }
      return (await axe.run('html', { runOnly, resultTypes: ['violations'] })).violations
    })
    const found = poor.flatMap(({ nodes }) =>
      nodes.map((n) => `${n.html.slice(0, 160)} ${n.failureSummary}`),
    )
    expect(found, `${what}, ${colorScheme}, more contrast`).toEqual([])
  }
  await page.emulateMedia({ contrast: null, reducedMotion: 'reduce' })
  themes.set(page, 'dark')
}
