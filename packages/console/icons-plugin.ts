import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

const ICON = /\/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/
const DRAWN = fileURLToPath(new URL('src/ui/drawn-icon.tsx', import.meta.url))

type Shape = [tag: string, attributes: Record<string, string>]

/** A shape as a path, if it is of a kind that most icons are made of. */
function pathOf([tag, a]: Shape): string | undefined {
  const number = (name: string) => Number(a[name] ?? 0)
  // the stroke, two wide, covers a dot
  const isDot = tag === 'circle' && number('r') <= 1
  if (a.fill && !isDot) return undefined
  // from a point of its own, in case it starts with a relative one
  if (tag === 'path') return `M0 0${a.d}`
  if (tag === 'line') return `M${a.x1} ${a.y1}L${a.x2} ${a.y2}`
  if (tag === 'circle') {
    const r = number('r')
    const half = (width: number) => `a${r} ${r} 0 1 0 ${width} 0`
    return `M${number('cx') - r} ${a.cy}${half(2 * r)}${half(-2 * r)}z`
  }
  if (tag === 'rect') {
    const r = Math.max(number('rx'), number('ry'))
    const [across, down] = [number('width') - 2 * r, number('height') - 2 * r]
    const corner = (x: number, y: number) => (r ? `a${r} ${r} 0 0 1 ${x} ${y}` : '')
    const right = `h${across}${corner(r, r)}v${down}${corner(-r, r)}`
    return `M${number('x') + r} ${a.y ?? 0}${right}h${-across}${corner(-r, -r)}v${-down}${corner(r, -r)}z`
  }
  return undefined
}

/**
 * Makes an icon one path, which is two elements for React and the browser instead of five to nine: a list shows a hundred
 * icons.
 */
export function iconsPlugin(): Plugin {
  return {
    name: 'icons',
    apply: 'build',
    async transform(_, id) {
      if (!ICON.test(id)) return null
      const { __iconData: data } = (await import(pathToFileURL(id).href)) as {
        __iconData?: { node: Shape[] }
      }
      // a former name of another icon
      if (!data) return null
      const paths = data.node.map(pathOf)
      if (paths.includes(undefined)) return null
      const path = JSON.stringify(paths.join(''))
      return {
        code: `import { drawnIcon } from ${JSON.stringify(DRAWN)}\nexport default drawnIcon(${path})`,
        map: null,
      }
    },
    // an icon that stays the library's own would bring its code for all of them
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle))
        for (const [id, { code }] of Object.entries(file.type === 'chunk' ? file.modules : {}))
          if (ICON.test(id) && code?.includes('__iconData'))
            this.error(`${id} has a shape that pathOf cannot draw`)
    },
  }
}
