import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core'

/** Visits of a browser to the console over a slow line, and what each cost. */

/** 10 Mbit/s, and 40 ms until an answer begins. */
const SLOW_LINE = {
  offline: false,
  latency: 40,
  downloadThroughput: 10e6 / 8,
  uploadThroughput: 10e6 / 8,
}

export type Screen = {
  name: string
  path: string
  /** Selector of what a person came for. */
  shows: string
  /** A field, which must have a value. */
  filled?: true
  loggedOut?: true
}

export type Visit = {
  /** Milliseconds from the start of the navigation until what the person came for is there. */
  shown: number
  /** Until then and half a second after. */
  requests: number
  /** Requests to the API. */
  calls: number
  /** Calls that were made before. */
  repeated: number
  scripts: number
  /** Kilobytes on the wire: of everything, and of scripts. */
  kB: number
  scriptkB: number
}

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
  })

/** A browser without anything cached, in which somebody may be logged in. */
export async function newPerson(browser: Browser, token?: string): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  if (token) await context.addInitScript((token) => localStorage.setItem('token', token), token)
  return context
}

/** Tells when there is what a person came for, by the page's own clock. */
const watchFor = ({ shows, filled }: { shows: string; filled: boolean }) => {
  const look = () => {
    const found = [...document.querySelectorAll(shows)]
    if (!found.some((e) => !filled || (e instanceof HTMLInputElement && e.value))) return
    ;(window as unknown as { tellShown: (at: string) => void }).tellShown(String(performance.now()))
    observer.disconnect()
  }
  const observer = new MutationObserver(look)
  observer.observe(document, { childList: true, subtree: true, attributes: true })
}

/** Opens a screen by its address. With `context` visited before, what browsers cache is there. */
export async function visit(context: BrowserContext, url: string, screen: Screen): Promise<Visit> {
  const page = await context.newPage()
  const line = await slowLine(page)
  const { told } = await toldBy(page, line, screen)
  const cost = await countedBy(line)
  await page.goto(url + screen.path, { waitUntil: 'commit' })
  const shown = await told
  await page.waitForTimeout(500)
  const counted = cost()
  await page.close()
  return { shown, ...counted }
}

/** Goes on from one screen to another by its link, once the first is idle. The pointer rests on the link before. */
export async function goOn(context: BrowserContext, url: string, from: Screen, to: Screen) {
  const page = await context.newPage()
  const line = await slowLine(page)
  const { told } = await toldBy(page, line, from)
  await page.goto(url + from.path, { waitUntil: 'commit' })
  await told
  // what most screens need comes while nobody does anything
  await page.waitForTimeout(8_000)
  const cost = await countedBy(line)
  const link = page.locator(`a[href="${to.path}"]`).first()
  await link.hover()
  await page.waitForTimeout(1_000)
  const shown = await link.evaluate(
    (link, { shows, filled, old }) =>
      new Promise<number>((resolve) => {
        const began = performance.now()
        const look = () => {
          const found = location.pathname === old ? [] : [...document.querySelectorAll(shows)]
          if (!found.some((e) => !filled || (e instanceof HTMLInputElement && e.value)))
            return requestAnimationFrame(look)
          resolve(performance.now() - began)
        }
        ;(link as HTMLElement).click()
        look()
      }),
    { shows: to.shows, filled: to.filled ?? false, old: from.path },
  )
  const counted = cost()
  await page.close()
  return { shown, ...counted }
}

async function slowLine(page: Page) {
  const line = await page.context().newCDPSession(page)
  await line.send('Network.enable')
  await line.send('Network.emulateNetworkConditions', SLOW_LINE)
  return line
}

const PATIENCE_MS = 30_000

/**
 * When the page shows what a person came for, by a call of its own: a script that asked again and again would take ten
 * milliseconds of what is measured.
 */
async function toldBy(page: Page, line: CDPSession, { name, shows, filled }: Screen) {
  await line.send('Runtime.enable')
  await line.send('Runtime.addBinding', { name: 'tellShown' })
  await page.addInitScript(watchFor, { shows, filled: filled ?? false })
  const told = new Promise<number>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${name} never showed ${shows}`)), PATIENCE_MS)
    line.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name !== 'tellShown') return
      clearTimeout(late)
      resolve(Number(payload))
    })
  })
  // where the visit fails before, nobody waits for it
  told.catch(() => undefined)
  return { told }
}

/** Counts what goes over the line from now on, without what comes from the browser's cache. */
export async function countedBy(line: CDPSession) {
  const sent = new Map<string, { type: string; url: string; cached: boolean; bytes: number }>()
  line.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
    if (request.url.startsWith('http'))
      sent.set(requestId, { type: type ?? '', url: request.url, cached: false, bytes: 0 })
  })
  line.on('Network.requestServedFromCache', ({ requestId }) => {
    const request = sent.get(requestId)
    if (request) request.cached = true
  })
  line.on('Network.responseReceived', ({ requestId, response }) => {
    const request = sent.get(requestId)
    if (request && (response.fromDiskCache || response.fromPrefetchCache)) request.cached = true
  })
  line.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = sent.get(requestId)
    if (request) request.bytes = encodedDataLength
  })
  return () => {
    const all = [...sent.values()].filter(({ cached }) => !cached)
    if (process.env.BENCH_REQUESTS)
      for (const { type, url, bytes } of all) console.log(`  ${type} ${url} ${bytes}`)
    const scripts = all.filter(({ type }) => type === 'Script')
    const calls = all.filter(({ url }) => url.includes('/api/')).map(({ url }) => url)
    const kB = (of: typeof all) => of.reduce((sum, { bytes }) => sum + bytes, 0) / 1e3
    return {
      requests: all.length,
      calls: calls.length,
      repeated: calls.length - new Set(calls).size,
      scripts: scripts.length,
      kB: kB(all),
      scriptkB: kB(scripts),
    }
  }
}

export type Strain = {
  /** Milliseconds: of the largest content, and of the slowest answer to a press. */
  lcp: number
  inp: number
  /** How much moved that nobody had asked to move. */
  cls: number
}

/** Keeps what the browser tells about a page's speed. */
const watchVitals = () => {
  const vitals = { lcp: 0, inp: 0, cls: 0 }
  Object.assign(window, { vitals })
  const watch = (type: string, note: (entry: PerformanceEntry) => void, more: object = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
      type,
      buffered: true,
      ...more,
    })
  watch('largest-contentful-paint', ({ startTime }) => {
    vitals.lcp = startTime
  })
  watch('layout-shift', (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & {
      value: number
      hadRecentInput: boolean
    }
    if (!hadRecentInput) vitals.cls += value
  })
  const pressed = (entry: PerformanceEntry) => {
    const { duration, interactionId } = entry as PerformanceEventTiming
    // INP is of clicks and keys; the pointer that rests on a page as it loads is neither
    if (interactionId) vitals.inp = Math.max(vitals.inp, duration)
  }
  watch('event', pressed, { durationThreshold: 16 })
}

/** Opens a screen with a processor four times slower, and presses what most screens have. */
export async function strain(
  context: BrowserContext,
  url: string,
  screen: Screen,
): Promise<Strain> {
  const page = await context.newPage()
  await page.addInitScript(watchVitals)
  const line = await slowLine(page)
  const { told } = await toldBy(page, line, screen)
  await line.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto(url + screen.path, { waitUntil: 'commit' })
  await told
  await page.waitForTimeout(6_000)
  for (const pressed of screen.loggedOut ? [] : ['Theme', 'User menu']) {
    await page.getByRole('button', { name: pressed }).click()
    await page.getByRole('menu').waitFor()
    await page.keyboard.press('Escape')
  }
  const typed = page.locator('main input:not([type=checkbox]):not([readonly])').first()
  if (await typed.isVisible()) await typed.pressSequentially('ab', { delay: 50 })
  await page.waitForTimeout(500)
  const vitals = await page.evaluate(() => (window as unknown as { vitals: Strain }).vitals)
  await page.close()
  return vitals
}
