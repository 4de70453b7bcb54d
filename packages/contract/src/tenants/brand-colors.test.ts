import { describe, expect, it } from 'vitest'
import { adjustedParts, brandShades, brandStyles, contrast } from './brand-colors.ts'

const COLORS = [
  ...['#ffffff', '#fffbe0', '#ffff00', '#e0b040', '#ff0000', '#c4161c', '#00ff00', '#0000ff'],
  ...['#1a4fd6', '#000000', '#101014', '#767676', '#777777', '#808080', '#ff00ff', '#00ffff'],
]
// as `theme.css` has them: page, list, hovered and pressed row, rail
const SURFACES = {
  light: ['#f8f9fb', '#ffffff', '#f1f4f6', '#e7eaed', '#eff1f4'],
  dark: ['#0f1115', '#14171c', '#1b2025', '#23282e', '#090c0f'],
}

it('measures contrast as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21)
  expect(contrast('#ffffff', '#ffffff')).toBe(1)
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
})

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  it.each(COLORS)('%s has shades of enough contrast', (color) => {
    const s = brandShades(color, theme)
    for (const shade of Object.values(s)) expect(shade).toMatch(/^#[0-9a-f]{6}$/)
    expect(contrast(s.on, s.fill)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(s.on, s.hover)).toBeGreaterThanOrEqual(4.5)
    for (const surface of SURFACES[theme]) {
      expect(contrast(s.text, surface), surface).toBeGreaterThanOrEqual(4.5)
      expect(contrast(s.line, surface), surface).toBeGreaterThanOrEqual(3)
    }
    expect(contrast(s.fill, SURFACES[theme][1]!)).toBeGreaterThanOrEqual(1.4)
    expect(s.hover).not.toBe(s.fill)
  })
})

it('leaves a color as it is where it has enough contrast, and says where not', () => {
  expect(brandShades('#1a4fd6', 'light')).toMatchObject({
    fill: '#1a4fd6',
    line: '#1a4fd6',
    text: '#1a4fd6',
    on: '#ffffff',
  })
  expect(adjustedParts('#1a4fd6', 'light')).toEqual([])
  expect(adjustedParts('#1a4fd6', 'dark')).toEqual(['focus rings', 'links'])
  expect(adjustedParts('#fffbe0', 'light')).toEqual(['buttons', 'focus rings', 'links'])
  expect(adjustedParts('#fffbe0', 'dark')).toEqual([])
  expect(adjustedParts('#000000', 'dark')).toEqual(['buttons', 'focus rings', 'links'])
})

it('is a style sheet that has more contrast for those who ask for it', () => {
  const [all, more] = brandStyles('#e0b040').split('@media (prefers-contrast:more)')
  expect(all).toMatch(/^:root\{--brass:light-dark\(#e0b040,#e0b040\);/)
  const [, light, dark] = /--brass-text:light-dark\((#\w+),(#\w+)\)/.exec(more!)!
  expect(contrast(light!, '#e7eaed')).toBeGreaterThanOrEqual(6.9)
  expect(contrast(dark!, '#23282e')).toBeGreaterThanOrEqual(6.9)
})
