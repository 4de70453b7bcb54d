import type { Answer } from '@switchroom/client'
import { type api, callSentence } from '@switchroom/contract'
import type { Command } from 'commander'
import { sidOf } from './names.ts'
import { ownerOf } from './owner.ts'
import type { Session } from './session.ts'
import type { Style } from './terminal.ts'

type Calls = Answer<typeof api.accountRecentCalls.list>
type Call = Calls['data'][number]
type Conversation = Answer<typeof api.conversations.ofAccount>
type Ladder = Answer<typeof api.captures.sipOfAccount>

const POLL_MS = 2_000
const SHOWN_FIRST = 10
const PAGE = 100

export function addCalls(program: Command, session: (command: Command) => Session) {
  const calls = program.command('calls').description('watch and explain calls')
  const tail = calls
    .command('tail')
    .description('show calls as they end')
    .option('--account-sid <text>', 'of one account, by name or sid')
    .action(({ accountSid }: { accountSid?: string }) => tailCalls(session(tail), accountSid))
  const show = calls
    .command('show')
    .argument('<call>', 'its call_sid, trace_id, or the Call-ID of a leg')
    .description('explain a call: how it ended, what was said, its SIP')
    .action((id: string) => showCall(session(show), id))
}

/** The newest calls of an account, of a provider, or all. */
async function readerOf(session: Session, account: string | undefined) {
  const { api, server } = session
  const query = { days: 1, page: 1, count: PAGE }
  const account_sid = account && (await sidOf(api, 'account_sid', account))
  const owner = account_sid ? { account_sid } : server.name ? server : await ownerOf(api)
  return async (): Promise<Call[]> => {
    if (owner.account_sid)
      return (
        await api.accountRecentCalls.list({ params: { account_sid: owner.account_sid }, query })
      ).data
    const { service_provider_sid } = 'service_provider_sid' in owner ? owner : {}
    if (service_provider_sid)
      return (await api.providerRecentCalls.list({ params: { service_provider_sid }, query })).data
    return (await api.recentCalls.list({ query })).data
  }
}

async function tailCalls(session: Session, account: string | undefined) {
  const { terminal, globals, style } = session
  const read = await readerOf(session, account)
  const seen = new Set<string>()
  let isFirst = true
  do {
    const found = (await read()).filter((call) => !seen.has(keyOf(call)))
    for (const call of found) seen.add(keyOf(call))
    const shown = isFirst ? found.slice(0, SHOWN_FIRST) : found
    // the newest comes last
    for (const call of shown.reverse())
      terminal.out(
        globals.json || globals.jsonl ? `${JSON.stringify(call)}\n` : `${lineOf(call, style)}\n`,
      )
    isFirst = false
  } while (await terminal.pause(POLL_MS))
}

const keyOf = ({ call_sid, sip_callid, attempted_at }: Call) =>
  `${call_sid} ${sip_callid} ${attempted_at}`

const outcomeOf = ({ answered, duration, sip_status, termination_reason }: Call) =>
  answered
    ? `answered${duration === null ? '' : `, ${duration} s`}`
    : `not answered${sip_status === null ? '' : `, ${sip_status}`}${termination_reason ? ` ${termination_reason}` : ''}`

const lineOf = (call: Call, style: Style) =>
  [
    style('dim', call.attempted_at),
    (call.direction ?? '').padEnd('outbound'.length),
    `${call.from ?? '?'} → ${call.to ?? '?'}`,
    style(call.answered ? 'green' : 'red', outcomeOf(call)),
    ...(call.trunk ? [style('dim', call.trunk)] : []),
  ].join('  ')

async function showCall(session: Session, id: string) {
  const { api, terminal, globals, style } = session
  const call = await api.recentCalls.view({ params: { call_id: id } })
  const { account_sid, trace_id, sip_callid } = call
  // a call may have neither, or they are not kept any more
  const part = <T>(asked: Promise<T> | undefined) => asked?.catch(() => undefined)
  const has = (value: string | null): value is string => Boolean(value && /[^0]/.test(value))
  const [conversation, sip] = await Promise.all([
    part(
      account_sid && has(trace_id)
        ? api.conversations.ofAccount({ params: { account_sid, trace_id } })
        : undefined,
    ),
    part(
      account_sid && sip_callid
        ? api.captures.sipOfAccount({ params: { account_sid, call_id: sip_callid } })
        : undefined,
    ),
  ])
  if (globals.json || globals.jsonl || globals.query) {
    await session.show({ ...call, conversation: conversation ?? null, sip: sip ?? null })
    return
  }
  const parts = [
    `${lineOf(call, style)}\n${callSentence(call, (number) => number, sip, conversation)}`,
    conversation && conversationText(conversation, style),
    sip && ladderText(sip, style),
  ]
  terminal.out(`${parts.filter(Boolean).join('\n\n')}\n`)
}

const TONES = { ok: 'green', info: 'dim', warn: 'yellow', bad: 'red' } as const
const finding = ({ tone, text }: { tone: keyof typeof TONES; text: string }, style: Style) =>
  `  ${style(TONES[tone], '•')} ${text}`

const secondsAfter = (at: number, began: number) =>
  `${((at - began) / 1_000).toFixed(1)} s`.padStart(9)

function conversationText({ began, entries, findings }: Conversation, style: Style) {
  const lines = entries.map((entry) => {
    const [who, text] =
      entry.kind === 'heard'
        ? [entry.side, entry.transcript ?? entry.digits ?? entry.outcome]
        : entry.kind === 'said'
          ? ['application', entry.text ?? entry.url ?? '']
          : entry.kind === 'recorded'
            ? [entry.side, entry.text]
            : ['', entry.text]
    return `${style('dim', secondsAfter(entry.at, began))}  ${who.padEnd('application'.length)}  ${text}`
  })
  return [
    style('bold', 'Conversation'),
    ...findings.map((one) => finding(one, style)),
    ...lines,
  ].join('\n')
}

function ladderText({ parties, messages, diagnosis }: Ladder, style: Style) {
  const began = messages[0]?.at ?? 0
  const party = (i: number) => `${parties[i]?.address}:${parties[i]?.port}`
  const width = Math.max(0, ...parties.map((_, i) => party(i).length))
  const lines = messages.map(
    ({ at, source, destination, label, repeats }) =>
      `${style('dim', secondsAfter(at / 1_000, began / 1_000))}  ${party(source).padEnd(width)} → ${party(destination).padEnd(width)}  ${label}${repeats === null ? '' : style('dim', ' (again)')}`,
  )
  return [style('bold', 'SIP'), ...diagnosis.map((one) => finding(one, style)), ...lines].join('\n')
}
