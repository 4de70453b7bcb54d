import {
  api,
  CALLS_MAX,
  Call,
  CallFilters,
  CallPeriod,
  callSentence,
  membersOf,
  SipLadder,
} from '@switchroom/contract'
import { z } from 'zod'
import { cursorIn, cursorInput, shown } from '../answer.ts'
import type { Tool } from '../surface.ts'
import { askOf, ownerInput, ownerOf, partsOf, without } from './owners.ts'

const reads = { readOnlyHint: true, openWorldHint: false }
const OWNER = ['account_sid', 'service_provider_sid', 'cursor'] as const

const CALLS = {
  account: api.accountRecentCalls.list,
  provider: api.providerRecentCalls.list,
  all: api.recentCalls.list,
}

export const listCalls: Tool = {
  name: 'list_calls',
  title: 'List calls',
  description:
    'Lists ended calls, newest first: of one account, one service provider, or all that you may see. Filters are those of the console: by number or id (`filter`), carrier (`trunk`), SIP status, prefix, direction, whether answered, words that were said.',
  annotations: reads,
  input: z.strictObject({
    ...ownerInput,
    ...CallFilters.shape,
    count: z.number().int().min(1).max(CALLS_MAX).optional().describe('Calls on a page'),
    cursor: cursorInput,
  }),
  async run(args, caller) {
    const cursor = cursorIn(args)
    const page = cursor.page ?? 1
    const query = { count: 25, days: 7, ...without(args, ...OWNER), page }
    const answer = await askOf(caller, CALLS, ownerOf(args, caller), query)
    const { total, page_size } = membersOf(answer)
    return shown(answer, cursor, Number(total) > page * Number(page_size) ? page + 1 : undefined)
  },
}

const has = (id: unknown): id is string => typeof id === 'string' && /[^0]/.test(id)

export const explainCall: Tool = {
  name: 'explain_call',
  title: 'Explain a call',
  description:
    'Tells all that is known of one call: what happened in a sentence, its record, the conversation with what was found in it (`conversation.findings`), and its SIP messages with a diagnosis (`sip.diagnosis`).',
  annotations: reads,
  input: z.strictObject({
    call: z
      .string()
      .min(1)
      .max(256)
      .describe('Its call_sid, its trace_id, or the Call-ID of a leg'),
    cursor: cursorInput,
  }),
  async run(args, { ask }) {
    const cursor = cursorIn(args)
    const call = await ask(api.recentCalls.view, { params: { call_id: args.call } })
    const { account_sid, trace_id, sip_callid } = membersOf(call)
    const parts = await partsOf({
      conversation: () =>
        account_sid && has(trace_id)
          ? ask(api.conversations.ofAccount, { params: { account_sid, trace_id } })
          : undefined,
      sip: () =>
        account_sid && has(sip_callid)
          ? ask(api.captures.sipOfAccount, { params: { account_sid, call_id: sip_callid } })
          : undefined,
    })
    const ladder = SipLadder.safeParse(parts.sip)
    const sentence = callSentence(Call.parse(call), (number) => number, ladder.data)
    return shown({ sentence, call, ...parts }, cursor)
  },
}

const FIGURES = {
  calls: {
    account: api.accountRecentCalls.figures,
    provider: api.providerRecentCalls.figures,
    all: api.recentCalls.figures,
  },
  anomalies: {
    account: api.accountRecentCalls.anomalies,
    provider: api.providerRecentCalls.anomalies,
    all: api.recentCalls.anomalies,
  },
  voice: { account: api.accountVoice.figures, provider: api.providerVoice.figures },
  models: { account: api.accountModelFigures.figures, provider: api.providerModelFigures.figures },
}

export const figures: Tool = {
  name: 'figures',
  title: 'Figures and anomalies',
  description:
    'Counts calls of a period (answered, failed, by hour, carrier and application), how callers and voice applications talked with each other, what tokens and cost their models had, and what is out of the ordinary compared with the last four weeks. Without a period: of the last day.',
  annotations: reads,
  input: z.strictObject({
    ...ownerInput,
    ...CallPeriod.shape,
    parts: z.array(z.enum(['calls', 'anomalies', 'voice', 'models'])).optional(),
    cursor: cursorInput,
  }),
  async run(args, caller) {
    const owner = ownerOf(args, caller)
    const period = without(args, ...OWNER, 'parts')
    const query = args.start || args.end ? period : { days: 1, ...period }
    const wanted = (args.parts as (keyof typeof FIGURES)[] | undefined) ?? ['calls', 'anomalies']
    const found = await partsOf(
      Object.fromEntries(
        wanted.map((part) => [
          part,
          () => askOf(caller, FIGURES[part], owner, part === 'anomalies' ? {} : query),
        ]),
      ),
    )
    return shown(found, cursorIn(args))
  },
}

const ISSUES = { account: api.accountIssues.list, provider: api.providerIssues.list }

/** True if a failure's calls go to the prefix of this number. */
const isOf = (digits: string) => (failure: unknown) => {
  const prefix = String(membersOf(failure).prefix ?? '').replace(/\D/g, '')
  return prefix !== '' && digits.startsWith(prefix)
}

export const explainFailures: Tool = {
  name: 'explain_failures',
  title: 'Why calls fail',
  description:
    'Tells why calls to a number or by a carrier fail: failures by cause with who is hit, the latest failed calls, the state of the number or carrier and what would fix it. Without a number or carrier: everything that is wrong now, the worst first.',
  annotations: reads,
  input: z.strictObject({
    ...ownerInput,
    number: z.string().min(3).max(64).optional().describe('The number that is called'),
    voip_carrier_sid: z.string().max(64).optional(),
    cursor: cursorInput,
  }),
  async run(args, caller) {
    const { ask } = caller
    const owner = ownerOf(args, caller)
    const { number, voip_carrier_sid } = args
    const digits = String(number ?? '').replace(/\D/g, '')
    const failures = async () => {
      const page = { page: 1, page_size: 100, ...owner }
      const rows = membersOf(await ask(api.failures.list, { query: page })).data as unknown[]
      return number ? rows.filter(isOf(digits)) : rows
    }
    const failedCalls = () =>
      number
        ? askOf(caller, CALLS, owner, {
            ...{ filter: number, answered: 'false', days: 7, page: 1, count: 10 },
          })
        : undefined
    const whole = !number && !voip_carrier_sid
    const found = await partsOf({
      issues: () =>
        whole ? askOf(caller, ISSUES, owner, { state: 'open', page: 1, page_size: 25 }) : undefined,
      failures: voip_carrier_sid ? () => undefined : failures,
      failed_calls: failedCalls,
      number: () => (number ? ask(api.search.number, { query: { number } }) : undefined),
      carrier: () =>
        voip_carrier_sid
          ? ask(api.carrierHealth.view, { params: { voip_carrier_sid } })
          : undefined,
      probes: () =>
        voip_carrier_sid
          ? ask(api.gatewayProbes.ofCarrier, { params: { voip_carrier_sid } })
          : undefined,
      carriers_in_trouble: () =>
        whole ? ask(api.carrierHealth.troubles, { query: owner }) : undefined,
    })
    return shown(found, cursorIn(args))
  },
}

export const simulateRoute: Tool = {
  name: 'simulate_route',
  title: 'Simulate a route',
  description:
    'Tells which way a call would go and why, step by step, without making one. With `source` it is an inbound call from that IP address, else an outbound one of an account or service provider.',
  annotations: { ...reads, idempotentHint: true },
  input: z.strictObject({
    ...ownerInput,
    number: z.string().min(1).max(64).describe('The number that is called, as dialed'),
    from: z.string().max(64).optional().describe('The caller’s number'),
    source: z
      .string()
      .max(64)
      .optional()
      .describe('The IP address that an inbound call comes from'),
    trunk: z.string().max(64).optional().describe('The carrier that the application names'),
    cursor: cursorInput,
  }),
  async run(args, caller) {
    const body = without(args, 'cursor', 'source')
    const owner = ownerOf(args, caller)
    const answer = args.source
      ? await caller.ask(api.routeSimulations.inbound, {
          body: {
            number: args.number,
            source: args.source,
            ...(owner.account_sid && { account_sid: owner.account_sid }),
          },
        })
      : await caller.ask(api.routeSimulations.outbound, { body: { ...body, ...owner } })
    return shown(answer, cursorIn(args))
  },
}
