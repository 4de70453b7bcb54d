import { z } from 'zod'
import { Int, listQuery, pageOf, Sid, Text, versioned } from '../wire/common.ts'
import { adds, endpoints, lists, removes, updates, views } from '../wire/endpoint.ts'
import { Integer, StringOrNull } from '../wire/fields.ts'
import { hidden } from '../wire/hidden.ts'
import { t } from '../wire/text.ts'
import { Expectation } from './run-expectations.ts'
import { Criterion, MAX_CRITERIA } from './run-simulation.ts'
import { RunStart } from './run-steps.ts'
import { MAX_EXPECTATIONS, ofApplication } from './runs.ts'

/** Limit per application. */
export const MAX_SIMULATED_CALLERS = 20
/** Limit of conversations begun at once. */
export const MAX_CONVERSATIONS = 20
export const SIMULATED_CALLER_NAME_TAKEN = t('A simulated caller with this name already exists')
export const NO_MODEL_FOR_CALLERS = t(
  'The account of the application has no language model, which plays simulated callers. Set one first.',
)

const LANGUAGE = t('Enter the code of a language, such as en-US')

const SimulatedCallerBody = z.object({
  name: Text(100, t('Enter a name')),
  start: RunStart,
  /** Description of the person who calls. */
  persona: hidden(Text(2_000, t('Describe who calls')), 'text'),
  /** The caller’s goal, in words. */
  goal: hidden(Text(1_000, t('Enter what the caller wants')), 'text'),
  /** Language of the caller: a BCP 47 code. */
  language: z
    .string()
    .trim()
    .regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/, LANGUAGE),
  /** Answers of the model, after which the conversation ends. */
  max_turns: Int(1, 50),
  max_minutes: Int(1, 15),
  /** Token limit of one conversation, scoring included. */
  max_tokens: Int(1_000, 200_000),
  /** Rules, each for itself and in any order. */
  expectations: z.array(Expectation).max(MAX_EXPECTATIONS),
  criteria: z.array(Criterion).max(MAX_CRITERIA),
})

/** Somebody whom a language model plays in calls to an application. */
export const SimulatedCaller = SimulatedCallerBody.extend({
  simulated_caller_sid: z.string(),
  application_sid: z.string(),
  account_sid: StringOrNull,
})
export type SimulatedCaller = z.infer<typeof SimulatedCaller>
export const SimulatedCallerView = SimulatedCaller.extend(versioned)
export type SimulatedCallerView = z.infer<typeof SimulatedCallerView>

export const SimulatedCallerItem = SimulatedCaller.extend({
  /** Conversations that are kept. */
  conversations: Integer,
  running: Integer,
  /** Conversations in which the caller says that it reached its goal. */
  reached: Integer,
})
export type SimulatedCallerItem = z.infer<typeof SimulatedCallerItem>

const { all, one } = ofApplication('SimulatedCallers', { simulated_caller_sid: Sid })

export const simulatedCallers = endpoints({
  list: {
    ...all,
    ...lists,
    summary: 'List the simulated callers of an application',
    query: listQuery('name'),
    response: pageOf(SimulatedCallerItem),
  },
  view: { ...one, ...views, summary: 'Get a simulated caller', response: SimulatedCallerView },
  create: { ...all, ...adds, summary: 'Add a simulated caller', body: SimulatedCallerBody },
  update: {
    ...one,
    ...updates,
    summary: 'Update a simulated caller',
    body: SimulatedCallerBody.partial(),
  },
  remove: { ...one, ...removes, summary: 'Delete a simulated caller' },
  run: {
    ...one,
    path: `${one.path}/Runs`,
    method: 'POST',
    summary: 'Have a simulated caller call the application, several times at once',
    body: z.object({ conversations: Int(1, MAX_CONVERSATIONS) }),
    response: z.object({ run_sids: z.array(z.string()) }),
  },
})
