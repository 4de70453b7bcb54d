import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures, waitUntilLoaded } from './browser.ts'
import { markNew, NEW, type Part, PassedParts, readParts } from './markup.ts'
import { halfOf, navigate, screens, startSeeded, stopTime, visit, WALK_LIMIT } from './screens.ts'

/** Every screen as every kind of user. What the administrator sees is all checked, of the others' what is new. */

type Role = keyof typeof screens
const HALVES = ['first', 'second'] as const

let server: Awaited<ReturnType<typeof startSeeded>>
beforeAll(async () => {
  server = await startSeeded()
})
afterAll(() => server.stop())

const passed = new PassedParts()

async function walk(
  role: Role,
  half: (typeof HALVES)[number] | 'whole',
  look: (page: Page, name: string, path: string) => Promise<unknown>,
) {
  const page = await openPage()
  await reportFailures(page, `screens-${role}-${half}`, async () => {
    await logIn(page, server.url, role)
    await waitUntilLoaded(page)
    await page.addInitScript(stopTime)
    const all = screens[role](server.sids)
    for (const [name, path] of half === 'whole' ? Object.entries(all) : halfOf(all, half)) {
      await look(page, name, path)
      if (name === 'no such page') await page.getByText("That page doesn't exist.").waitFor()
      expect(await page.title(), name).toMatch(/Switchroom/)
    }
    expectNoErrors(page)
  })
  await page.context().close()
}

it.each(HALVES)(
  'every screen of the %s half loads with few calls, is accessible in both themes, and fits a phone, as admin',
  async (half) => {
    const looks = new Map<string, Part>()
    await walk('admin', half, async (page, name, path) => {
      const calls = await visit(page, server.url + path)
      // a screen makes no more API calls than it needs
      const own = calls.filter((c) => !FRAME.test(c.split(' ')[1]!))
      expect(own.length, `${name}: ${own.join(', ')}`).toBeLessThanOrEqual(mostCalls(name, path))
      const screen = await page.evaluate(readParts)
      await expectAccessible(page, `${name} as admin`)
      await expectNoSidewaysScroll(page, `${name} as admin`)
      looks.set(name, screen)
    })
    const different = new Set([...looks.values()].map(({ whole }) => whole))
    // screens are told apart by their markup
    expect(different.size).toBe(looks.size)
    for (const screen of looks.values()) passed.add(screen)
  },
  WALK_LIMIT,
)

it.each(['provider', 'account', 'viewer'] as const)(
  'every screen loads, and is accessible and fits a phone where it is another, as %s',
  async (role) => {
    let others = 0
    await walk(role, 'whole', async (page, name, path) => {
      await navigate(page, path)
      if (role === 'viewer') await expectNoRefusedActions(page, name)
      const screen = await page.evaluate(readParts)
      if (passed.has(screen)) return
      // the frame is the same around all screens of a role
      const isFirst = others++ === 0
      const numbers = passed.newOf(screen)
      await page.evaluate(markNew, numbers)
      if (isFirst || numbers.length > 0)
        await expectAccessible(page, `${name} as ${role}`, isFirst ? 'html' : NEW)
      await expectNoSidewaysScroll(page, `${name} as ${role}`)
      passed.add(screen)
    })
    expect(others).toBeGreaterThan(0)
  },
  WALK_LIMIT,
)

it('looks again at what is new on a screen, and at nothing else', async () => {
  const page = await openPage()
  const POOR = 'color: #999; background: #fff'
  const show = (list: string, style = '') =>
    page.setContent(
      `<html lang="en"><title>x</title><main><h1>Calls</h1><ul>${list}</ul><p style="${style}">None</p></main>`,
    )
  const parts = new PassedParts()
  const numbersOfNew = async () => {
    const numbers = parts.newOf(await page.evaluate(readParts))
    await page.evaluate(markNew, numbers)
    return numbers
  }
  await show('<li>One<li>Two')
  expect(await numbersOfNew()).toEqual([0])
  const screen = await page.evaluate(readParts)
  parts.add(screen)
  expect(await numbersOfNew()).toEqual([])
  expect(parts.has(screen)).toBe(true)
  // the list stands for its items, because another one is among them
  await show('<li>One<li>Three<li>Two')
  expect(await numbersOfNew()).toEqual([2])
  await show('<li>Two')
  expect(await numbersOfNew()).toEqual([2])
  // another text, and another color
  await show('<li>One<li>Three')
  expect(await numbersOfNew()).toEqual([4])
  await expectAccessible(page, 'another text', NEW)
  await show('<li>One<li>Two', POOR)
  expect(parts.has(await page.evaluate(readParts))).toBe(false)
  expect(await numbersOfNew()).toEqual([0])
  await expect(expectAccessible(page, 'another color', NEW)).rejects.toThrow('another color')
  await page.context().close()
})

const REFUSED =
  /^(Add|Save|Delete|Edit|Generate|Discard|Clear TTS|Replace|Test(?! case)|Run(?!s)|Hear|Try voices|Record|Hang up|Call again|Play|Stop)\b/

/** No actions that the server would refuse. */
async function expectNoRefusedActions(page: Page, name: string) {
  const main = page.getByRole('main')
  const names = [
    ...(await main.getByRole('button').allInnerTexts()),
    ...(await main.getByRole('link').allInnerTexts()),
  ]
  expect(
    names.filter((n) => REFUSED.test(n.trim())),
    name,
  ).toEqual([])
}

// fetched by the frame: the provider menu, the user, the count of issues and the notice of failing parts
const FRAME = /\/(ServiceProviders|Users\/me|Issues\/Count|SystemHealth)$/

function mostCalls(name: string, path: string) {
  // the blocks of an overview ask each for their own, and a number's for what its calls were counted by
  if (name === 'phone number overview') return 11
  if (name.endsWith('overview')) return 8
  // a user's sessions and second factor are below the form, administrators' keys below their settings
  if (['user form', 'admin settings'].includes(name)) return 5
  // figures of two periods, of traces and of model sessions
  if (name === 'voice') return 4
  // asks for the health of those it shows, and for the names of the sids
  if (['carriers', 'history', 'webhook request'].includes(name)) return 3
  // the settings, the account's name, and the services that can transcribe
  if (name === 'transcript settings') return 3
  // the application, the score card, if calls are scored, and the account's name
  if (name === 'score card') return 4
  // the settings, what was refused, and the account's name
  if (name === 'model sessions') return 3
  // the second factor, the sessions, and the programs that administrators list
  if (name === 'security') return 3
  // the account, its report, the calls in it, and to whom it is mailed
  if (name === 'customer report') return 4
  // the application, its provider, its number, its runs, the latest of them, its test cases and its simulated callers
  if (name === 'try it') return 7
  // the application, its provider, the run, its test case, and the speech services that can say its prompts
  if (name === 'run') return 5
  // the application, its provider, the caller, its conversations, and the account's model
  if (name === 'simulated caller') return 5
  // the application, its provider and the test case
  if (name === 'test case form') return 3
  // the application, its provider and its suites
  if (name === 'suites') return 3
  // the thing, its provider, and what its pickers show
  if (['phone number form', 'outbound routing form'].includes(name)) return 5
  // figures of two periods, carriers in trouble, anomalies, calls now and alerts, each by itself, and names of accounts and applications
  if (name === 'dashboard') return 8
  return /\/(add|edit)|settings/.test(path) ? 4 : 2
}
