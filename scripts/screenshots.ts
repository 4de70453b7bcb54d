import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { closePages, logIn, openPage, waitUntilLoaded } from '../e2e/browser.ts'
import { freePort } from '../e2e/ports.ts'
import { ACCOUNT, navigate, SP, screens, startSeeded, visit } from '../e2e/screens.ts'
import { build } from './build.ts'
import { startServices } from './services.ts'

/** Takes a screenshot of every screen, in both themes and at several widths, and makes one page that shows them all. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    as: { type: 'string', multiple: true, default: ['nobody', 'admin', 'viewer'] },
    width: { type: 'string', multiple: true, default: ['320', '1440', '2560'] },
    theme: { type: 'string', multiple: true, default: ['light', 'dark'] },
    language: { type: 'string', default: 'en' },
  },
})
const ROLES = ['nobody', 'admin', 'provider', 'account', 'viewer'] as const
type Role = (typeof ROLES)[number]
const oneOf = <T extends string>(option: string, allowed: readonly T[], given: string[]) =>
  given.map((value) => {
    const found = allowed.find((a) => a === value)
    if (!found) throw new Error(`Unknown --${option} "${value}". Use ${allowed.join(', ')}.`)
    return found
  })
const roles = oneOf('as', ROLES, values.as)
const themes = oneOf('theme', ['light', 'dark'], values.theme)
const widths = values.width.map((width) => {
  if (!/^\d{3,4}$/.test(width)) throw new Error(`--width "${width}" is not a width in pixels.`)
  return Number(width)
})
const isWanted = (name: string) =>
  positionals.length === 0 || positionals.some((text) => name.includes(text))

const OUT = fileURLToPath(new URL('../test-results/screenshots/', import.meta.url))
const LOGGED_OUT = {
  'log-in': '/',
  'forgotten password': '/forgot-password',
  'reset password': '/reset-password/00000000-0000-4000-8000-000000000000',
}

/** A dialog or menu that opens over a screen: its path, and how to open it. */
type Opening = { path: string; open: (page: Page) => Promise<unknown> }
const openings = (sids: { carrier: string }): Record<string, Opening> => {
  const press = (key: string) => (page: Page) => page.keyboard.press(key)
  const click = (name: string) => (page: Page) =>
    page.getByRole('main').getByRole('button', { name, exact: true }).click()
  const numbers = '/internal/phone-numbers'
  return {
    palette: { path: numbers, open: press('Control+k') },
    'sheet of keys': { path: numbers, open: press('?') },
    'import dialog': { path: numbers, open: click('Import') },
    display: { path: numbers, open: click('Display') },
    'delete dialog': {
      path: `/internal/carriers/${sids.carrier}/edit`,
      open: click('Delete carrier'),
    },
  }
}

/** Half a day of calls and some alerts, as the platform's own components send them. */
async function ingest(port: number) {
  const causes = [200, 200, 200, 486, 200, 480, 200, 503, 200, 200]
  const calls = Array.from({ length: 240 }, (_, i) => {
    const status = causes[i % causes.length]!
    const tags = `account_sid=${ACCOUNT},service_provider_sid=${SP},answered=${status === 200}`
    const where = `direction=${i % 3 ? 'inbound' : 'outbound'},host=10.0.0.1,trunk=${i % 4 ? 'Northern\\ Trunks' : 'Shared'}`
    const ids = `call_sid="call-${i}",sip_callid="call-${i}@pbx",from="1508555${1000 + (i % 60)}",to="442079460958"`
    const rest = `duration=${status === 200 ? 20 + ((i * 37) % 400) : 0},sip_status=${status}`
    return `cdrs,${tags},${where} ${ids},${rest} ${Date.now() - i * 180_000}000000`
  })
  const alerts = ['no-carrier', 'webhook-failure', 'no-tts'].map(
    (type, i) =>
      `alerts,service_provider_sid=${SP},account_sid=${ACCOUNT},alert_type=${type} message="No answer within 5 s" ${Date.now() - i * 600_000}000000`,
  )
  for (const [db, lines] of Object.entries({ cdrs: calls, alerts })) {
    const url = `http://127.0.0.1:${port}/write?db=${db}&precision=n`
    const answer = await fetch(url, { method: 'POST', body: lines.join('\n') })
    if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  }
}

type Shot = { role: Role; name: string; theme: 'light' | 'dark'; width: number; file: string }
const shots: Shot[] = []
const problems: string[] = []

const { env, left_out, stop } = await startServices(['Chromium'])
process.once('exit', stop)
if (left_out.length > 0) throw new Error('Chromium is not installed')
Object.assign(process.env, env)
await build()
rmSync(OUT, { recursive: true, force: true })
const port = await freePort()
const server = await startSeeded({ SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${port}` })
try {
  await ingest(port)
  for (const role of roles)
    for (const theme of themes) {
      await takeAll(role, theme)
      console.log(`${role}, ${theme}: ${shots.length} so far`)
    }
} finally {
  await closePages()
  await server.stop()
}
writeFileSync(`${OUT}index.html`, sheet())
console.log(`${shots.length} screenshots: ${OUT}index.html`)
for (const problem of problems) console.log(`problem: ${problem}`)
process.exit(problems.length > 0 ? 1 : 0)

async function takeAll(role: Role, theme: Shot['theme']) {
  const page = await openPage({ colorScheme: theme })
  await page.addInitScript(
    (language) => localStorage.setItem('language', language),
    values.language,
  )
  const take = async (name: string, show: () => Promise<unknown>) => {
    if (!isWanted(name)) return
    try {
      await page.setViewportSize({ width: 1440, height: 900 })
      await show()
      for (const width of widths) await shoot(page, { role, name, theme, width })
    } catch (e) {
      problems.push(`${name} as ${role}: ${(e as Error).message}`)
    }
  }
  if (role === 'nobody') {
    for (const [name, path] of Object.entries(LOGGED_OUT))
      await take(name, () => page.goto(server.url + path))
  } else {
    await logIn(page, server.url, role)
    await waitUntilLoaded(page)
    for (const [name, path] of Object.entries(screens[role](server.sids)))
      await take(name, () => navigate(page, path))
    await take('open call', () => visit(page, `${server.url}/internal/recent-calls/call-7`))
    if (role === 'admin')
      for (const [name, { path, open }] of Object.entries(openings(server.sids)))
        await take(name, async () => {
          await visit(page, server.url + path)
          await open(page)
          await page.getByRole('dialog').or(page.getByRole('alertdialog')).waitFor()
        })
  }
  await page.context().close()
}

async function shoot(page: Page, shot: Omit<Shot, 'file'>) {
  const { role, name, theme, width } = shot
  const height = width < 600 ? 700 : 900
  await page.setViewportSize({ width, height })
  await waitUntilLoaded(page)
  // what sticks to the bottom of the window would otherwise lie across the picture
  const whole = await page.evaluate(() => document.documentElement.scrollHeight)
  if (whole > height) await page.setViewportSize({ width, height: whole })
  const folder = `${role}/${width}-${theme}`
  mkdirSync(OUT + folder, { recursive: true })
  const file = `${folder}/${name.replaceAll(' ', '-')}.png`
  await page.screenshot({ path: OUT + file })
  shots.push({ ...shot, file })
}

/** One row a screen, one column a width and theme. */
function sheet() {
  const rows = Map.groupBy(shots, (shot) => `${shot.name} as ${shot.role}`)
  const cell = ({ file, width, theme }: Shot) =>
    `<a href="${file}"><img src="${file}" alt="${width} px, ${theme}" loading="lazy" style="width:${Math.round(80 + width / 8)}px"></a>`
  const body = [...rows].map(([name, row]) => `<h2>${name}</h2><p>${row.map(cell).join(' ')}</p>`)
  const style =
    'body{font:14px system-ui;margin:24px;background:#888}img{vertical-align:top;max-height:700px;object-fit:cover;object-position:top}'
  return `<!doctype html><meta charset="utf-8"><title>Every screen</title><style>${style}</style>${body.join('\n')}`
}
