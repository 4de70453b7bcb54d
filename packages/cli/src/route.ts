import type { Command } from 'commander'
import { EXIT, UsageError } from './exit.ts'
import { sidOf } from './names.ts'
import { ownerOf } from './owner.ts'
import type { Session } from './session.ts'

type Given = { from?: string; accountSid?: string; serviceProviderSid?: string; source?: string }
type Step = { result: string; reason: string }

const MARKS = {
  taken: ['green', '✓'],
  passed: ['dim', '·'],
  warned: ['yellow', '!'],
  failed: ['red', '✗'],
} as const

/** `route test`: which way a call would go, and why. Resolves to the exit code. */
export function addRoute(
  program: Command,
  session: (command: Command) => Session,
  exit: (code: number) => void,
) {
  const test = program
    .command('route')
    .description('try the routing of calls')
    .command('test')
    .argument('<number>', 'the number that is called')
    .description('tell which way a call would go, and why')
    .option('--from <number>', "the caller's number")
    .option('--account-sid <text>', 'as a call of this account, by name or sid')
    .option('--service-provider-sid <text>', 'as a call of this provider, by name or sid')
    .option('--source <ip>', 'an inbound call from this address')
    .action(async (number: string, given: Given) => {
      const to = session(test)
      const { api, terminal, globals, style } = to
      const { from, source } = given
      const owner = await ownerFor(to, given)
      const result = source
        ? await api.routeSimulations.inbound({
            body: { number, source, ...(owner.account_sid && { account_sid: owner.account_sid }) },
          })
        : await api.routeSimulations.outbound({ body: { number, ...owner, ...(from && { from }) } })
      if (globals.json || globals.jsonl || globals.query) await to.show(result)
      else
        for (const { result: how, reason } of result.steps as Step[]) {
          const [colour, mark] = MARKS[how as keyof typeof MARKS]
          terminal.out(`${style(colour, mark)} ${reason}\n`)
        }
      if (result.outcome === 'failed' || result.outcome === 'none') exit(EXIT.problems)
    })
}

async function ownerFor(session: Session, { accountSid, serviceProviderSid, source }: Given) {
  const { api, server } = session
  if (accountSid) return { account_sid: await sidOf(api, 'account_sid', accountSid) }
  if (serviceProviderSid)
    return { service_provider_sid: await sidOf(api, 'service_provider_sid', serviceProviderSid) }
  const { account_sid, service_provider_sid } = server.name ? server : await ownerOf(api)
  if (account_sid) return { account_sid }
  if (service_provider_sid) return { service_provider_sid }
  if (source) return {}
  throw new UsageError('Name whose call it is: --account-sid or --service-provider-sid')
}
