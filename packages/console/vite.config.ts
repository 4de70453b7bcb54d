import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { chunks } from './chunks.ts'
import { directImportsPlugin } from './direct-imports-plugin.ts'
import { endpointsPlugin } from './endpoints-plugin.ts'
import { iconsPlugin } from './icons-plugin.ts'
import { languagesPlugin } from './languages-plugin.ts'
import { runtimePlugin } from './runtime-plugin.ts'
import { screensPlugin } from './screens-plugin.ts'
import { vendorNamesPlugin } from './vendor-names-plugin.ts'

const api = `http://127.0.0.1:${process.env.API_PORT ?? 3000}`

/** Compressed copies beside the assets, so that the server only has to choose one. */
function precompress(): Plugin {
  const brotli = promisify(brotliCompress)
  const gz = promisify(gzip)
  let out = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: (config) => {
      out = join(config.root, config.build.outDir)
    },
    async closeBundle() {
      const files = await readdir(out, { recursive: true })
      const text = files.filter((f) => /\.(js|css|html|svg|json)$/.test(f))
      await Promise.all(
        text.map(async (f) => {
          const file = join(out, f)
          const bytes = await readFile(file)
          if (bytes.length < 1024) return
          const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
          await writeFile(`${file}.br`, await brotli(bytes, { params }))
          await writeFile(`${file}.gz`, await gz(bytes, { level: 9 }))
        }),
      )
    },
  }
}

/** The one font is wanted by the first paint; without this it starts only after the style sheet. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle }) => {
        const font = Object.keys(bundle ?? {}).find((f) => f.endsWith('.woff2'))
        if (!font) return
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}` }
        return [{ tag: 'link', attrs: { ...attrs, crossorigin: true }, injectTo: 'head' }]
      },
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    directImportsPlugin(),
    iconsPlugin(),
    endpointsPlugin(),
    vendorNamesPlugin(),
    runtimePlugin(),
    screensPlugin(),
    languagesPlugin(),
    preloadFont(),
    precompress(),
  ],
  server: { proxy: { '/api': api, '/v1': api, '/config.js': api } },
  build: {
    target: ['chrome123', 'firefox121', 'safari17.5'],
    // a data: address is no 'self' to the page's policy
    assetsInlineLimit: 0,
    // a screen's scripts are named by the server, or asked for as a pointer comes to its link: naming them in the script
    // of all routes as well would cost every list 3 kB
    modulePreload: {
      polyfill: false,
      // the page has the styles of all lists already
      resolveDependencies: (_, files) =>
        files.filter((file) => /\/(?!main-)[^/]+\.css$/.test(file)),
    },
    rolldownOptions: { output: { codeSplitting: { groups: chunks } } },
  },
})
