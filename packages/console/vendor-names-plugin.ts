import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { customVendor, vendors } from '../contract/src/speech/index.ts'

const ID = 'virtual:vendor-names'
const TEXT = fileURLToPath(new URL('../contract/src/wire/text.ts', import.meta.url))

/** The names of speech vendors by their ids: most screens that show them need nothing else of the vendors. */
export function vendorNamesPlugin(): Plugin {
  return {
    name: 'vendor-names',
    resolveId: (id) => (id === ID ? `\0${ID}` : null),
    load(id) {
      if (id !== `\0${ID}`) return null
      const names = Object.values(vendors).map(
        ({ id, name }) => `${id}: /* @__PURE__ */ t(${JSON.stringify(name)})`,
      )
      return `import { t } from ${JSON.stringify(TEXT)}
        export const CUSTOM = ${JSON.stringify(customVendor(''))}
        export const names = { ${names.join()} }`
    },
  }
}
