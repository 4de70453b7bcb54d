import { membersOf, SPEECH_MODELS, t } from '@switchroom/contract'
import { ask } from '../ask.ts'
import { type Call, isInterrupted } from '../call.ts'
import { exchange } from '../exchange.ts'
import { postHook } from '../hooks.ts'
import { lapse } from '../lapse.ts'
import type { Members, Verb } from '../run-application.ts'

const TALK_S = 10

const NO_MODEL = t(
  'No language model or bot runs here. You choose its function calls, what the caller says, and when it ends.',
)

/** A conversation with a language model, whose function calls the tester makes up. */
export async function llm(call: Call, verb: Verb) {
  const { recorder } = call
  const { toolHook } = verb.data
  // an agent has its model in a member of that name
  const { vendor, model } = verb.name === 'agent' ? membersOf(verb.data.llm) : verb.data
  recorder.event('info', NO_MODEL)
  let calls = 0
  for (;;) {
    const answer = await ask(call, {
      verb: verb.name,
      answers: toolHook ? ['tool_call', 'ended'] : ['ended'],
      targets: [
        { type: 'llm', to: [vendor, model].filter((one) => typeof one === 'string').join(' ') },
      ],
    })
    if (answer?.kind === 'tool_call') {
      calls += 1
      const { name, args } = answer
      const isCalled = await callTool(
        call,
        verb,
        toolCall(verb, { id: `call_${calls}`, name, args }),
      )
      if (isCalled) continue
      const completion_reason = 'client error calling function'
      return void (await postHook(call, verb, { completion_reason }, { endsCall: true }))
    }
    const isOver =
      answer?.kind === 'ended' && (await lapse(call, (answer.seconds ?? TALK_S) * 1_000))
    // also when the caller hangs up, or the application moves on
    const completion_reason = (isOver && answer.reason) || 'normal conversation end'
    const replaces = !isInterrupted(call)
    await postHook(call, verb, { completion_reason }, { endsCall: replaces, replaces })
    return
  }
}

type ToolCall = { tool_call_id: string } & Members

const modelOf = ({ name, data }: Verb) =>
  name === 'llm' ? SPEECH_MODELS.get(String(data.vendor)) : undefined

function toolCall(verb: Verb, { id, ...tool }: { id: string; name: string; args: Members }) {
  return modelOf(verb)?.callsInList
    ? {
        tool_call_id: 'function_call_id',
        type: 'toolCall',
        function_calls: [{ id, ...tool }],
      }
    : { tool_call_id: id, ...tool }
}

function checkOutput({ recorder }: Call, verb: Verb, { type: given }: Members) {
  const type = modelOf(verb)?.output
  if (type && given !== type)
    recorder.event(
      'warn',
      t('The model of {vendor} ignores this output. Its type must be {type}.', {
        vendor: String(verb.data.vendor),
        type,
      }),
    )
}

/**
 * Calls a tool of the application. Over HTTP the answer is the result; a WebSocket application sends it as a command.
 * Resolves to true if the conversation goes on.
 */
async function callTool(call: Call, verb: Verb, tool: ToolCall): Promise<boolean> {
  const { socket, clock, limits, commands, recorder } = call
  const reply = await exchange(call, {
    name: verb.name === 'agent' ? 'agent:tool-call' : 'llm:tool-call',
    hook: verb.data.toolHook,
    verb: verb.name,
    data: tool,
    expects: 'anything',
  })
  if (reply.problem) {
    recorder.event('warn', t('The toolHook failed, which ends the conversation.'))
    return false
  }
  if (!socket || reply.isElsewhere) {
    if (reply.body === undefined)
      recorder.event('warn', t('The toolHook returned nothing for the language model.'))
    // one without a type gets this one
    else checkOutput(call, verb, { type: 'client_tool_result', ...membersOf(reply.body) })
    return true
  }
  const isOutput = () =>
    commands.findIndex(
      ({ command, members }) =>
        command === 'llm:tool-output' && members.tool_call_id === tool.tool_call_id,
    )
  const until = performance.now() + limits.silence_ms
  while (isOutput() < 0 && performance.now() < until && !call.failure && !call.isLost)
    await clock.measure(socket.activity(until - performance.now()))
  const found = isOutput()
  const [output] = found < 0 ? [] : commands.splice(found, 1)
  if (output) checkOutput(call, verb, membersOf(output.data))
  else recorder.event('warn', t('The application sent no output for this function call.'))
  return true
}

/** The result members of each bot, and how the platform names the caller's words in its eventHook. */
const BOTS: Record<
  string,
  { result: string; end?: 'completed' | 'timeout'; words: (text: string) => Members }
> = {
  dialogflow: {
    result: 'dialogflow_result',
    end: 'completed',
    words: (transcript) => ({ event: 'transcription', data: { transcript, is_final: true } }),
  },
  lex: {
    result: 'lex_result',
    words: (text) => ({ event: 'transcription', data: { text } }),
  },
  rasa: {
    result: 'rasa_result',
    end: 'timeout',
    words: (message) => ({ event: 'userMessage', message }),
  },
}

/** A conversation with a bot. The tester gives the caller's words and the end. */
export async function bot(call: Call, verb: Verb) {
  const { result, end, words } = BOTS[verb.name]!
  const { project, botId, url, eventHook } = verb.data
  call.recorder.event('info', NO_MODEL)
  for (;;) {
    const answer = await ask(call, {
      verb: verb.name,
      answers: [...(eventHook ? (['speech'] as const) : []), ...(end ? (['ended'] as const) : [])],
      targets: [{ type: verb.name, to: String(project ?? botId ?? url) }],
    })
    if (!answer) return
    if (answer.kind === 'speech') {
      const before = call.list
      await postHook(call, verb, words(answer.text), {
        hook: eventHook,
        // the platform tells this one nothing of the call
        ...(verb.name === 'lex' && { instead: {} }),
      })
      if (call.ended) return
      if (call.list === before) continue
      return postResult(call, verb, { [result]: 'redirect' }, false)
    }
    if (answer.kind === 'ended' && !(await lapse(call, (answer.seconds ?? TALK_S) * 1_000))) return
    return postResult(call, verb, { [result]: answer.kind === 'ended' ? end : 'caller hungup' })
  }
}

async function postResult(call: Call, verb: Verb, data: Members, replaces = true) {
  await postHook(call, verb, data, { replaces })
}
