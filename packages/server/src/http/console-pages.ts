import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** Script in the built page that this server replaces by its configuration. Other servers serve it unchanged. */
const CONFIGURATION = '<script src="/config.js"></script>'

/** The script that runs before the first paint. */
const START = /<script src="\/(assets\/start-[\w-]+\.js)"><\/script>/

/**
 * Reads the built console. `page` makes the document of a path: with the configuration, and with the scripts of that
 * path's screen, so that the browser asks for all of them at once. A cold list is there some 100 ms earlier. The script
 * that runs before the first paint is in it, and `inline` its hash for the page's policy.
 */
export async function readPages(folder: string) {
  const built = await readFile(`${folder}/index.html`, 'utf8')
  const [tag = '', file] = START.exec(built) ?? []
  if (!file) throw new Error('index.html lacks the script that runs first')
  const start = (await readFile(`${folder}/${file}`, 'utf8')).replaceAll('</script', '<\\/script')
  const html = built.replace(tag, () => `<script>${start}</script>`)
  if (!html.includes(CONFIGURATION)) throw new Error(`index.html lacks ${CONFIGURATION}`)
  const { first, screens, later, afterLogIn }: Screens = JSON.parse(
    await readFile(`${folder}/screens.json`, 'utf8'),
  )
  const byPath = Object.entries(screens).map(
    ([path, scripts]) => [patternOf(path), preloads(scripts)] as const,
  )
  const laterInside = forLater(later)
  const laterAtLogIn = forLater(afterLogIn)
  // it asks for the screen's data, while the scripts that show it load. Not async, as it would often run after them
  const asker = `<script type="module" crossorigin src="/${first}"></script>\n`
  // after the console's own scripts, which browsers ask for first
  const [before = '', head = '', body = ''] = html.split(
    /<script src="\/config.js"><\/script>|(?=<\/head>)/,
  )
  const page = (path: string, configuration: string) => {
    const links = byPath.find(([pattern]) => pattern.test(path))?.[1] ?? ''
    const isInside = path.startsWith('/internal')
    const asks = isInside && links ? asker : ''
    const rest = isInside ? laterInside : path === '/' ? laterAtLogIn : ''
    // data, not code: the page's policy allows no inline script
    const data = `<script id="config" type="application/json">${configuration}</script>`
    return `${before}${data}${asks}${head}${links}${rest}${body}`
  }
  return { page, inline: `'sha256-${createHash('sha256').update(start).digest('base64')}'` }
}

/**
 * The script that asks for data, scripts and styles by path, and what most next screens and the first after a log-in need. The
 * console's build writes it.
 */
type Screens = {
  first: string
  screens: Record<string, string[]>
  later: string[]
  afterLogIn: string[]
}

/** `/internal/users/$user_sid/edit` as a pattern of addresses. */
const patternOf = (path: string) =>
  new RegExp(`^${path.replace(/[.*+?()[\]{}|\\]/g, '\\$&').replace(/\$\w+/g, '[^/]+')}/?$`)

const preloads = (files: string[]) =>
  files
    .map(
      (file) =>
        `<link rel="${file.endsWith('.css') ? 'stylesheet' : 'modulepreload'}" crossorigin href="/${file}">`,
    )
    .join('')

/** The page makes them a prefetch once it is idle, or somebody types. */
const forLater = (scripts: string[]) =>
  scripts.map((script) => `<link rel="later" as="script" href="/${script}">`).join('')
