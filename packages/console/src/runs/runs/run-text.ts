import {
  type Answer,
  numberText,
  plural,
  type Question,
  type RunRequestName,
  type RunStep,
  type RunView,
  t,
} from '@switchroom/contract'

const two = (n: number) => String(n).padStart(2, '0')

/** The run's clock, `1:02.5`. */
export function clockText(ms: number): string {
  const tenths = Math.round(ms / 100)
  const seconds = Math.floor(tenths / 10)
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}.${tenths % 10}`
}

/** `1.5 s` */
export const secondsText = (ms: number) =>
  t('{seconds} s', { seconds: numberText(Math.round(ms / 100) / 10) })

/** Labels of the platform's requests, shown beside their technical names. */
export const REQUESTS: Record<RunRequestName, string> = {
  'session:new': t('The call comes in'),
  'session:reconnect': t('The connection is opened again'),
  'session:redirect': t('The call is redirected'),
  'session:adulting': t('The called party becomes a call of its own'),
  'verb:hook': t('Hook of a verb'),
  'verb:status': t('Status of a verb'),
  'dial:confirm': t('May the called party be connected?'),
  'call:status': t('Call status'),
  'llm:tool-call': t('Function call of the language model'),
  'agent:tool-call': t('Function call of the language model'),
  'jambonz:error': t('The platform reports an error'),
  'tts:tokens-result': t('Answer to streamed speech'),
  'tts:streaming-event': t('State of streamed speech'),
}

type Request = Extract<RunStep, { kind: 'request' }>
/** Label of a request, with its verb or status: "Result of gather". */
export function requestText({ name, verb, data }: Pick<Request, 'name' | 'verb' | 'data'>): string {
  if (name === 'call:status') {
    const [, status] = /"call_status":\s?"([\w-]+)"/.exec(data.text) ?? []
    return status ? t('Call status: {status}', { status }) : REQUESTS[name]
  }
  if (verb === null) return REQUESTS[name]
  if (name === 'verb:hook') return t('Hook of {verb}', { verb })
  if (name === 'verb:status') return t('Status of {verb}', { verb })
  return REQUESTS[name]
}

/** Sentence on what a question waits for. */
export function askedText({ verb, answers, targets, timeout_ms }: Question): string {
  const to = targets.map((target) => target.to).join(', ')
  const speech = answers.includes('speech')
  const digits = answers.includes('digits')
  const what =
    verb === 'silence'
      ? t('The application is silent')
      : verb === 'say' || verb === 'play'
        ? t('{verb} repeats until something ends it', { verb })
        : answers.includes('answered')
          ? t('Dials {to}', { to })
          : answers.includes('status')
            ? t('{verb} waits for a SIP reply', { verb })
            : speech && digits
              ? t('{verb} listens for speech and keys', { verb })
              : speech
                ? t('{verb} listens for speech', { verb })
                : digits
                  ? t('{verb} listens for keys', { verb })
                  : to
                    ? t('{verb} waits: {to}', { verb, to })
                    : t('{verb} waits', { verb })
  return timeout_ms === null
    ? what
    : t('{what}, for up to {time}', { what, time: secondsText(timeout_ms) })
}

type Side = Question['side']
const OF_CALLED: readonly Answer['kind'][] = ['answered', 'busy', 'no_answer', 'failed']

/** The person or part that answers questions of this side. */
export function answererText({ kind }: Answer, side: Side): string {
  if (kind === 'status') return t('Other side')
  if (kind === 'tool_call') return t('Language model')
  return side === 'called' || OF_CALLED.includes(kind) ? t('Called party') : t('Caller')
}

/** An answer that is neither words nor keys. */
export function answerText(answer: Answer): string {
  switch (answer.kind) {
    case 'speech':
    case 'low_confidence':
      return answer.text
    case 'digits':
      return answer.digits
    case 'nothing':
      return t('Says and presses nothing')
    case 'error':
      return answer.details
        ? t('The recognizer fails: {details}', { details: answer.details })
        : t('The recognizer fails')
    case 'answered':
      return answer.seconds === undefined
        ? t('Answers the call')
        : t('Answers, and they talk for {time}', { time: secondsText(answer.seconds * 1_000) })
    case 'busy':
      return t('Busy')
    case 'no_answer':
      return t('No answer')
    case 'failed':
      return answer.status === undefined
        ? t('Failed')
        : t('Failed with {status}', { status: answer.status })
    case 'status':
      return t('Replies {status}', { status: answer.status ?? 200 })
    case 'bridged':
      return t('Taken out of the queue')
    case 'wait':
      return answer.seconds === undefined
        ? t('Keeps waiting')
        : t('Waits for {time}', { time: secondsText(answer.seconds * 1_000) })
    case 'ended':
      return answer.reason ? t('It ends: {reason}', { reason: answer.reason }) : t('It ends')
    case 'tool_call':
      return t('Calls {name}', { name: answer.name })
    case 'hang_up':
      return t('Hangs up')
  }
}

type Ended = Extract<RunStep, { kind: 'ended' }>
/** Details of the end. The step's text says who hung up. */
export function endFacts({ by, is_answered }: Ended): string[] {
  return [
    ...(by === 'run' ? [t('Nobody hung up')] : []),
    ...(is_answered ? [] : [t('Never answered')]),
  ]
}

/** SIP status and reason that the caller got. */
export function endCode({ sip_status, sip_reason, x_reason }: Ended): string[] {
  return [
    ...(sip_status === null ? [] : [[sip_status, sip_reason].filter(Boolean).join(' ')]),
    ...(x_reason ? [`X-Reason: ${x_reason}`] : []),
  ]
}

export const problemsText = (n: number) => plural(n, '1 problem|{n} problems')

/** The prompts among new steps, to be read aloud: of many only the latest. */
export function announcementOf(steps: readonly RunStep[], spoken: (text: string) => string) {
  const prompts = steps.flatMap((step) =>
    step.kind === 'said' && step.text ? [spoken(step.text)] : [],
  )
  const last = steps.at(-1)
  const ended = last?.kind === 'ended' ? [t('The call has ended.')] : []
  return [...prompts.slice(-2), ...ended].join(' ')
}

type State = { tone: 'ok' | 'warn' | 'bad' | 'info' | 'off'; word: string }
/** How a run stands. */
export const STATES: Record<RunView['state'], State> = {
  running: { tone: 'info', word: t('In progress') },
  ended: { tone: 'off', word: t('Ended') },
  interrupted: { tone: 'warn', word: t('Interrupted') },
}

/** `said` how often: nothing to tell if once. */
export const loopText = (loop: number | 'forever') =>
  loop === 'forever'
    ? t('Repeated forever')
    : loop > 1
      ? t('{n} times', { n: numberText(loop) })
      : null
