import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { closePages, logIn, openPage, waitUntilLoaded } from '../e2e/browser.ts'
import { PASSWORD } from '../e2e/harness.ts'
import { startServices } from './services.ts'

/** Takes the pictures of the README and the guides from the demo, into docs/pictures. */
const OUT = fileURLToPath(new URL('../docs/pictures/', import.meta.url))
const SIZE = { width: 1280, height: 800 }
const MAX_BYTES = 150_000

/** The first call of the list on its own page, with its SIP messages. */
async function openCall(page: Page) {
  const main = page.getByRole('main')
  await main.locator('.table-open').first().click()
  await main.getByRole('link', { name: 'Open call' }).click()
  await main.getByRole('tab', { name: 'SIP' }).click()
}

/** Opens what a list links to by this name. */
async function open(page: Page, name: RegExp) {
  await page.getByRole('main').getByRole('link', { name }).first().click()
  await page.waitForURL(/[\da-f]{12}$/)
}

/** By the name of the file: where, and what is done there. */
const PICTURES: Record<string, { path: string; show?: (page: Page) => Promise<unknown> }> = {
  dashboard: { path: '/internal/dashboard' },
  'recent-calls': { path: '/internal/recent-calls' },
  call: { path: '/internal/recent-calls?answered=true', show: openCall },
  carrier: { path: '/internal/carriers', show: (page) => open(page, /^Albion Wholesale/) },
  routing: {
    path: '/internal/least-cost-routing',
    async show(page) {
      await open(page, /outbound$/)
      await page.getByRole('main').getByRole('link', { name: 'Edit', exact: true }).click()
      await page.waitForURL(/\/edit/)
    },
  },
}

/** Starts the demo in a folder of its own. Resolves to its address once it has its calls. */
async function startDemo() {
  const folder = mkdtempSync(join(tmpdir(), 'switchroom-pictures-'))
  const demo = fileURLToPath(new URL('demo.ts', import.meta.url))
  const child = spawn(process.execPath, [demo, '--folder', join(folder, 'demo')], {
    env: { ...process.env, SWITCHROOM_ADMIN_PASSWORD: PASSWORD },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let log = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      log += chunk
      const [, address] = /Switchroom is at (\S+)[\s\S]*Ctrl-C stops it/.exec(log) ?? []
      if (address) resolve(address)
    })
    child.once('exit', () => reject(new Error(`The demo has ended.\n${log}`)))
  })
  const stop = async () => {
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  return { url, stop }
}

async function take(page: Page, name: string) {
  await waitUntilLoaded(page)
  const devtools = await page.context().newCDPSession(page)
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
  const picture = Buffer.from(data, 'base64')
  if (picture.length > MAX_BYTES) throw new Error(`${name} has ${picture.length} bytes`)
  writeFileSync(`${OUT}${name}.webp`, picture)
  console.log(`${name}: ${Math.round(picture.length / 1_000)} kB`)
}

const { env, left_out, stop } = await startServices(['Chromium'])
process.once('exit', stop)
if (left_out.length > 0) throw new Error('Chromium is not installed')
Object.assign(process.env, env)
mkdirSync(OUT, { recursive: true })
const demo = await startDemo()
try {
  const page = await openPage({ viewport: SIZE, colorScheme: 'light' })
  await logIn(page, demo.url)
  for (const [name, { path, show }] of Object.entries(PICTURES)) {
    await page.goto(demo.url + path)
    await waitUntilLoaded(page)
    await show?.(page)
    await take(page, name)
  }
} finally {
  await closePages()
  await demo.stop()
}
process.exit()
