import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const DIRECTORY = join(import.meta.dirname, 'languages')
const START = join(import.meta.dirname, 'start.js')

/** The languages that have a catalogue. English needs none. */
const languages = async () =>
  (await readdir(DIRECTORY)).map((file) => file.replace(/\.json$/, '')).sort()

/** A catalogue as a script, which runs before all modules. */
async function catalogueOf(language: string) {
  const messages = JSON.parse(await readFile(join(DIRECTORY, `${language}.json`), 'utf8'))
  return `globalThis.catalogue=${JSON.stringify({ language, messages })}\n`
}

/** The script that runs first, told where the catalogues are. */
const startWith = async (files: Record<string, string>) =>
  (await readFile(START, 'utf8')).replace('{} /* catalogues */', JSON.stringify(files))

/**
 * `start.js` and the catalogues it may load. In a build each has a hash in its name, so that a later visit need not ask
 * for it.
 */
export function languagesPlugin(): Plugin {
  return {
    name: 'languages',
    configureServer(server) {
      server.middlewares.use(async (req, res, next) => {
        const [, language] = /^\/languages\/(\w+)\.js$/.exec(req.url ?? '') ?? []
        if (!language && req.url !== '/start.js') return next()
        res.setHeader('Content-Type', 'text/javascript')
        if (language) return res.end(await catalogueOf(language))
        const all = (await languages()).map((name) => [name, `/languages/${name}.js`] as const)
        res.end(await startWith(Object.fromEntries(all)))
      })
    },
    async generateBundle() {
      const files: Record<string, string> = {}
      for (const language of await languages()) {
        const source = await catalogueOf(language)
        const id = this.emitFile({ type: 'asset', name: `${language}.js`, source })
        files[language] = `/${this.getFileName(id)}`
      }
      this.emitFile({ type: 'asset', name: 'start.js', source: await startWith(files) })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        if (!bundle) return html
        const file = Object.keys(bundle).find((name) => /\/start-[^/]+\.js$/.test(name))
        if (!file) throw new Error('The script that runs first is not in the build')
        return html.replace('src="/start.js"', `src="/${file}"`)
      },
    },
  }
}
