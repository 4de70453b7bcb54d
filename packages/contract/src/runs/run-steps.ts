import { z } from 'zod'
import { IntegerOrNull, StringOrNull } from '../wire/fields.ts'
import { hidden } from '../wire/hidden.ts'
import { RequestBody } from '../wire/request-body.ts'
import { t } from '../wire/text.ts'
import { Answer, Question } from './run-answers.ts'

const Words = hidden(z.string(), 'text')
const Address = hidden(z.string(), 'url')
const text = StringOrNull
const party = z
  .string()
  .trim()
  .min(1, t('Enter a number or a name'))
  .max(128)
  .regex(/^[^\s<>"]+$/, t('Enter a number, a name, or user@domain, without spaces'))

const MAX_SIP_HEADERS = 50

const HEADER_NAME = /^[\w!%*+.'~-]{1,100}$/

const SipHeaders = hidden(
  z
    .record(
      z.string(),
      z
        .string()
        .max(1_000)
        .regex(/^[^\r\n]*$/, t('A SIP header must be a single line')),
    )
    .superRefine((headers, ctx) => {
      const names = Object.keys(headers)
      if (names.length > MAX_SIP_HEADERS) ctx.addIssue(t('Enter at most 50 headers'))
      for (const name of names)
        if (!HEADER_NAME.test(name))
          // a key's own schema would have its message lost
          ctx.addIssue({
            code: 'custom',
            path: [name],
            message: t('This is not a valid SIP header name'),
          })
    }),
  'values',
)

/** The call that a run plays: one that comes in. */
export const RunStart = z.object({
  direction: z.literal('inbound'),
  from: party,
  to: party,
  /** The display name. */
  caller_name: z.string().max(128).optional(),
  /** Headers of the INVITE beside the usual ones. */
  sip_headers: SipHeaders.optional(),
})
export type RunStart = z.infer<typeof RunStart>

/** Requests of the platform to an application. */
export const RUN_REQUESTS = [
  'session:new',
  'session:reconnect',
  'session:redirect',
  'session:adulting',
  'verb:hook',
  'verb:status',
  'dial:confirm',
  'call:status',
  'llm:tool-call',
  'agent:tool-call',
  'jambonz:error',
  'tts:tokens-result',
  'tts:streaming-event',
] as const
export type RunRequestName = (typeof RUN_REQUESTS)[number]

/** A problem in a response that the platform would refuse or ignore, and its place. */
export const RunProblem = z.object({
  /** The place in the JSON; empty if it is wrong as a whole. */
  path: z.array(z.union([z.string(), z.number()])).max(50),
  text: Words,
})
export type RunProblem = z.infer<typeof RunProblem>

/** Milliseconds since the start of the run, on its own clock: time that nobody needs passes at once. */
const step = {
  at: z.number().int().nonnegative(),
  /** Milliseconds of these in which nobody waited for the application: pauses, timeouts, conversations. */
  idle: z.number().int().nonnegative().optional(),
}
/** The verb that is the reason. */
const verb = { verb: z.string() }

export const RunStep = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('request'),
    ...step,
    name: z.enum(RUN_REQUESTS),
    /** The verb whose hook it is. */
    verb: text,
    method: z.enum(['GET', 'POST', 'WS']),
    /** Over a WebSocket, the hook as the application wrote it, or the address of the WebSocket. */
    url: Address,
    /** JSON. For GET it is what is signed, but not sent. */
    data: RequestBody,
    /** Null if none is wanted, or there is none. */
    answer: z
      .object({
        /** The HTTP status; null over a WebSocket. */
        status: IntegerOrNull,
        body: RequestBody,
      })
      .nullable(),
    /** Time from sending it to the answer or the failure. */
    ms: z.number().int().nonnegative(),
    /** Number of attempts. */
    attempts: z.number().int().positive(),
    problems: z.array(RunProblem).max(20),
  }),
  z.object({
    kind: z.literal('said'),
    ...step,
    ...verb,
    side: z.enum(['caller', 'called']),
    /** Plain text or SSML; null while it is streamed. */
    text: Words.nullable(),
    vendor: text,
    language: text,
    voice: text,
    label: text,
    loop: z.union([z.number(), z.literal('forever')]),
  }),
  z.object({
    kind: z.literal('played'),
    ...step,
    ...verb,
    side: z.enum(['caller', 'called']),
    url: Address,
    loop: z.union([z.number(), z.literal('forever')]),
  }),
  z.object({ kind: z.literal('paused'), ...step, ms: z.number().int().nonnegative() }),
  z.object({ kind: z.literal('asked'), ...step, question: Question }),
  z.object({ kind: z.literal('answered'), ...step, answer: Answer }),
  z.object({
    kind: z.literal('event'),
    ...step,
    tone: z.enum(['info', 'warn', 'bad']),
    text: Words,
  }),
  /** A command that a WebSocket application sends unprompted. */
  z.object({
    kind: z.literal('command'),
    ...step,
    command: z.string(),
    /** True if it is appended to the running verbs. */
    is_queued: z.boolean(),
    data: RequestBody,
    problems: z.array(RunProblem).max(20),
  }),
  z.object({
    kind: z.literal('ended'),
    ...step,
    /** `run`: nobody hung up, but the run reached a limit or was stopped. */
    by: z.enum(['caller', 'application', 'platform', 'run']),
    text: Words,
    /** Final SIP status sent to the caller if the call was never answered, else null. */
    sip_status: IntegerOrNull,
    sip_reason: text,
    /** The X-Reason header with that status or the BYE. */
    x_reason: Words.nullable(),
    is_answered: z.boolean(),
  }),
])
export type RunStep = z.infer<typeof RunStep>
export type RunStepKind = RunStep['kind']
