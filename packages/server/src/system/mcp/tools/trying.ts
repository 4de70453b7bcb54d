import { setTimeout as pause } from 'node:timers/promises'
import { api, membersOf } from '@switchroom/contract'
import { z } from 'zod'
import { cursorIn, cursorInput, shown } from '../answer.ts'
import type { Caller } from '../caller.ts'
import type { Tool } from '../surface.ts'

const Sid = z.string().max(64)
const Values = z.record(z.string().max(64), z.unknown())
const POLL_MS = 300
const POLLS = 20

/** Waits, for some seconds, until a run has ended or asks something that was not answered just now. */
async function settled({ ask }: Caller, params: object, answered: unknown) {
  for (let polls = 0; ; polls++) {
    const run = await ask(api.runs.view, { params })
    const { state, question } = membersOf(run)
    const asks = question !== null && question !== answered
    if (state !== 'running' || asks || polls >= POLLS) return run
    await pause(POLL_MS)
  }
}

export const tryApplication: Tool = {
  name: 'try_application',
  title: 'Try an application',
  description:
    'Calls an application without a telephone: the server takes the platform’s part and shows each step. Begin with `begin`; while the run has a `question`, call again with `run_sid` and `answer`. No real call is made, but the application’s webhooks are called.',
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  input: z.strictObject({
    application_sid: Sid,
    begin: Values.optional().describe(
      'The call, and what the caller answers: {"start": {"direction": "inbound", "from": "4420…", "to": "4930…"}, "answers": []}. `describe` has runs.begin.',
    ),
    run_sid: Sid.optional().describe('A run that has begun'),
    answer: Values.optional().describe(
      'The answer to its question: {"question": 1, "answer": {"kind": "speech", "text": "…"}}. `describe` has runs.answer.',
    ),
    stop: z.boolean().optional().describe('Ends it'),
    cursor: cursorInput,
  }),
  async run(args, caller) {
    const { ask } = caller
    const { application_sid, begin, answer, stop } = args
    const run_sid = begin
      ? membersOf(await ask(api.runs.begin, { params: { application_sid }, body: begin })).run_sid
      : args.run_sid
    const params = { application_sid, run_sid: run_sid ?? '' }
    if (answer) await ask(api.runs.answer, { params, body: answer })
    if (stop) await ask(api.runs.stop, { params })
    return shown(await settled(caller, params, membersOf(answer).question), cursorIn(args))
  },
}
