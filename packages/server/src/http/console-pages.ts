import { readFile } from 'node:fs/promises'

/** Script in the built page that this server replaces by its configuration. Other servers serve it unchanged. */
const CONFIGURATION = '<script src="/config.js"></script>'

/**
 * Reads the built console. The result makes the document of a path: with the configuration, and with the scripts of that
 * path's screen, so that the browser asks for all of them at once. A cold list is there some 100 ms earlier.
 */
export async function readPages(folder: string) {
  const html = await readFile(`${folder}/index.html`, 'utf8')
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
  return (path: string, configuration: string) => {
    const links = byPath.find(([pattern]) => pattern.test(path))?.[1] ?? ''
    const isInside = path.startsWith('/internal')
    const asks = isInside && links ? asker : ''
    const rest = isInside ? laterInside : path === '/' ? laterAtLogIn : ''
    // data, not code: the page's policy allows no inline script
    const data = `<script id="config" type="application/json">${configuration}</script>`
    return `${before}${data}${asks}${head}${links}${rest}${body}`
  }
}

/**
 * The script that asks for data, scripts by path, and what most next screens and the first after a log-in need. The
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

const preloads = (scripts: string[]) =>
  scripts.map((script) => `<link rel="modulepreload" crossorigin href="/${script}">`).join('')

/** The page makes them a prefetch once it is idle, or somebody types. */
const forLater = (scripts: string[]) =>
  scripts.map((script) => `<link rel="later" as="script" href="/${script}">`).join('')
