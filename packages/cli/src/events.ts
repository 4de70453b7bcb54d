import type { Answer } from '@switchroom/client'
import type { api } from '@switchroom/contract'
import type { Command } from 'commander'
import { sidOf } from './names.ts'
import type { Session } from './session.ts'
import type { Style } from './terminal.ts'

type Page = Answer<typeof api.events.list>
type Event = Page['data'][number]

const POLL_MS = 2_000
const SHOWN_FIRST = 10

export function addEventTail(events: Command, session: (command: Command) => Session) {
  const tail = events
    .command('tail')
    .description('show events as they happen')
    .option('--types <list>', 'only these types, separated by commas')
    .option('--account-sid <text>', 'of one account, by name or sid')
    .action((given: { types?: string; accountSid?: string }) => tailEvents(session(tail), given))
}

async function tailEvents(
  session: Session,
  { types, accountSid }: { types?: string; accountSid?: string },
) {
  const { api, terminal, globals, style } = session
  const account_sid = accountSid && (await sidOf(api, 'account_sid', accountSid))
  const of = { ...(types && { types }), ...(account_sid && { account_sid }) }
  let after: string | null = null
  let isFirst = true
  do {
    const page: Page = await api.events.list({
      query: { ...of, ...(after ? { after } : isFirst ? { limit: SHOWN_FIRST } : {}) },
    })
    for (const event of page.data)
      terminal.out(
        globals.json || globals.jsonl ? `${JSON.stringify(event)}\n` : `${lineOf(event, style)}\n`,
      )
    after = page.last_id ?? after
    isFirst = false
  } while (await terminal.pause(POLL_MS))
}

/** Subject of an event, in a few words. */
function subjectOf({ data }: Event) {
  if ('action' in data) return `${data.action} ${data.name} ${data.fields.join(', ')}`.trim()
  if ('text' in data) return data.text
  if ('name' in data) return `${data.name} ${data.reason ?? ''}`.trim()
  if ('from' in data) return `${data.from ?? '?'} → ${data.to ?? '?'}`
  return data.call_sid
}

const lineOf = (event: Event, style: Style) =>
  [style('dim', event.timestamp), event.id, event.type, subjectOf(event)].join('  ')
