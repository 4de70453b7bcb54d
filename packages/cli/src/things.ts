import { doctorText, isKeyOf, THING_PAGES } from '@switchroom/contract'
import type { Command } from 'commander'
import { EXIT, UsageError } from './exit.ts'
import { consoleOf } from './servers.ts'
import type { Session } from './session.ts'

type Open = (command: Command) => Session

/** `search <text>`: finds things with this name, number or sid. */
export function addSearch(group: Command, session: Open) {
  group.argument('[text]', 'a name, a number or a sid').action(async (text: string | undefined) => {
    if (!text) group.help({ error: true })
    const to = session(group)
    const { data } = await to.api.search.find({ query: { q: text } })
    await to.show(
      to.globals.wide ? data : data.map(({ service_provider_sid: _, ...found }) => found),
    )
  })
}

/** `doctor`: checks the set-up of the server, and says how to fix what is wrong. */
export function addDoctor(group: Command, session: Open, exit: (code: number) => void) {
  group.action(async () => {
    const to = session(group)
    const report = await to.api.doctor.run()
    const { json, jsonl, query } = to.globals
    if (json || jsonl || query) await to.show(report)
    else to.terminal.out(`${doctorText(report)}\n`)
    if (report.results.some(({ outcome }) => outcome === 'problem')) exit(EXIT.problems)
  })
}

/** `open <thing>`: opens its screen. */
export function addOpen(program: Command, session: Open) {
  const command = program
    .command('open')
    .argument('[thing]', 'a name, a number or a sid')
    .description('open the screen of a thing, or the console')
    .option('--print', 'only print its address')
    .action(async (thing: string | undefined, { print }: { print?: boolean }) => {
      const to = session(command)
      const url = consoleOf(to.server.url) + (thing ? await pathOf(to, thing) : '/')
      if (print || !(await to.terminal.browse(url))) to.terminal.out(`${url}\n`)
    })
}

/** Path of a resource's screen, found by search; `/` if it has no screen of its own. */
async function pathOf({ api }: Session, thing: string) {
  const { data } = await api.search.find({ query: { q: thing } })
  const [first] = data
    .filter(({ name, sid }) => [name, sid].includes(thing.replace(/^\+/, '')))
    .concat(data)
  if (!first) throw new UsageError(`Nothing is called "${thing}"`)
  if (first.kind === 'call') return `/internal/recent-calls/${encodeURIComponent(first.sid)}`
  return isKeyOf(THING_PAGES, first.kind) ? THING_PAGES[first.kind].replace('$', first.sid) : '/'
}
