// From the one color of a brand, the shades that the console uses. Lightness is moved, in OKLCH, until everything that is
// read or must be seen has the contrast of WCAG AA on the lightest or darkest surface that it stands on; hue stays.

/** sRGB, from 0 to 1. */
type Rgb = readonly [number, number, number]
type Lch = { l: number; c: number; h: number }

const linear = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
const gamma = (v: number) => (v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055)

const rgbOf = (hex: string): Rgb => {
  const n = Number.parseInt(hex.slice(1), 16)
  return [(n >> 16) / 255, ((n >> 8) & 255) / 255, (n & 255) / 255]
}
const hexOf = (rgb: Rgb) =>
  `#${rgb
    .map((v) =>
      Math.round(v * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

/** https://bottosson.github.io/posts/oklab/ */
function lchOf(hex: string): Lch {
  const [r, g, b] = rgbOf(hex).map(linear) as unknown as Rgb
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const A = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const B = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  const L = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
  return { l: L, c: Math.hypot(A, B), h: Math.atan2(B, A) }
}

function linearRgb({ l: L, c, h }: Lch): Rgb {
  const [A, B] = [c * Math.cos(h), c * Math.sin(h)]
  const l = (L + 0.3963377774 * A + 0.2158037573 * B) ** 3
  const m = (L - 0.1055613458 * A - 0.0638541728 * B) ** 3
  const s = (L - 0.0894841775 * A - 1.291485548 * B) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

/** With as much of its chroma as a screen can show at this lightness. */
function hexOfLch(color: Lch): string {
  const fits = (rgb: Rgb) => rgb.every((v) => v >= -0.0001 && v <= 1.0001)
  let [low, high] = [0, color.c]
  if (!fits(linearRgb(color)))
    for (let i = 0; i < 20; i++) {
      const c = (low + high) / 2
      if (fits(linearRgb({ ...color, c }))) low = c
      else high = c
    }
  else low = high
  const rgb = linearRgb({ ...color, c: low })
  return hexOf(rgb.map((v) => gamma(Math.min(1, Math.max(0, v)))) as unknown as Rgb)
}

const luminance = (hex: string) => {
  const [r, g, b] = rgbOf(hex).map(linear) as unknown as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** The contrast ratio of WCAG, from 1 to 21. */
export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

export type Shades = {
  /** Primary buttons, and the text on them. */
  fill: string
  hover: string
  on: string
  /** Focus, the current page, selected controls. */
  line: string
  /** Links and other text. */
  text: string
  /** Behind a marked row. */
  tint: string
}

const THEMES = {
  // the surface that has the least contrast to what is darker: a pressed row
  light: { surface: '#e7eaed', page: '#ffffff', darker: true, tint: { l: 0.955, c: 0.032 } },
  dark: { surface: '#23282e', page: '#0f1115', darker: false, tint: { l: 0.27, c: 0.035 } },
} as const
export type BrandTheme = keyof typeof THEMES

const AA = { text: 4.5, line: 3 }
/** For those who ask their system for more. */
const MORE = { text: 7, line: 4.5 }
/** Below it, a button could not be told from the page; its text has its own contrast. */
const FILL = 1.6
const STEP = 0.005
const HOVER = 0.04
const [WHITE, BLACK] = ['#ffffff', '#000000']

/** The nearest shade with at least this contrast to a surface: black or white, if there is no other. */
function shade(color: string, surface: string, least: number, darker: boolean): string {
  if (contrast(color, surface) >= least) return color
  const lch = lchOf(color)
  for (let l = lch.l; l > 0 && l < 1; l += darker ? -STEP : STEP) {
    const hex = hexOfLch({ ...lch, l })
    if (contrast(hex, surface) >= least) return hex
  }
  return darker ? BLACK : WHITE
}

/** One of the two has a contrast of at least 4.58 to any color. */
const textOn = (fill: string) => (contrast(WHITE, fill) >= contrast(BLACK, fill) ? WHITE : BLACK)

function hoverOf(fill: string, on: string): string {
  const lch = lchOf(fill)
  // away from its text; towards it from white, and further from black, beside which other blacks look the same
  const wanted = lch.l + (on === BLACK ? HOVER : -HOVER)
  const l = wanted > 1 ? lch.l - HOVER : wanted < 0 ? lch.l + 5 * HOVER : wanted
  return hexOfLch({ ...lch, l })
}

/** The shades of a color (`#rrggbb`) in a theme. */
export function brandShades(color: string, theme: BrandTheme, least = AA): Shades {
  const { surface, page, darker, tint } = THEMES[theme]
  const { c, h } = lchOf(color)
  const fill = shade(color, page, FILL, darker)
  const on = textOn(fill)
  return {
    fill,
    on,
    hover: hoverOf(fill, on),
    line: shade(color, surface, least.line, darker),
    text: shade(color, surface, least.text, darker),
    tint: hexOfLch({ l: tint.l, c: Math.min(c, tint.c), h }),
  }
}

/** Lists the parts where the color itself has too little contrast, so that a shade of it is used. */
export const adjustedParts = (color: string, theme: BrandTheme) => {
  const { fill, line, text } = brandShades(color, theme)
  return Object.entries({ buttons: fill, 'focus rings': line, links: text }).flatMap(
    ([part, used]) => (used === color ? [] : [part as 'buttons' | 'focus rings' | 'links']),
  )
}

const PROPERTIES = {
  fill: '--brass',
  hover: '--brass-hover',
  on: '--on-brass',
  line: '--brass-line',
  text: '--brass-text',
  tint: '--brass-tint',
} as const satisfies Record<keyof Shades, string>

const declarations = (color: string, parts: readonly (keyof Shades)[], least?: typeof AA) => {
  const light = brandShades(color, 'light', least)
  const dark = brandShades(color, 'dark', least)
  return parts.map((p) => `${PROPERTIES[p]}:light-dark(${light[p]},${dark[p]})`).join(';')
}

/** The style sheet that puts the shades of a color in place of the product's own accent. */
export const brandStyles = (color: string) =>
  `:root{${declarations(color, ['fill', 'hover', 'on', 'line', 'text', 'tint'])}}` +
  `@media (prefers-contrast:more){:root{${declarations(color, ['line', 'text'], MORE)}}}`
