import { type CallEvent, plural, t } from '@switchroom/contract'
import { quoted, seconds } from './sentence.ts'
import {
  type CallSpan,
  hookName,
  isRedirectHook,
  isResultHook,
  jsonOf,
  numberOf,
  textOf,
  verbOf,
} from './spans.ts'

type Told = Pick<CallEvent, 'tone' | 'text'>

const info = (text: string): Told => ({ tone: 'info', text })
const warn = (text: string): Told => ({ tone: 'warn', text })

const lasted = ({ start, end }: CallSpan) => seconds(end - start)
const bodyOf = (verb: CallSpan) => jsonOf(verb.children.find(isResultHook), 'http.body')
/** Targets of a dial, without their credentials; empty for a target that the trace does not name. */
export function targetsOf(verb: CallSpan): string[] {
  const [, summary = ''] = /\{type=\w+,(?:number|name|sipUri)=(.*)\}$/s.exec(verb.name) ?? []
  if (summary) return [addressOf(summary)]
  return invitesOf(verb).map((invite) => addressOf(textOf(invite, 'invite.uri') ?? ''))
}

/** `5551234` or `user@host` of a number, name or SIP URI. */
const addressOf = (uri: string) =>
  uri
    .replace(/^sips?:/i, '')
    .split(/[;?]/, 1)[0]!
    .replace(/:[^@:]*@/, '@')

export const invitesOf = ({ children }: CallSpan) =>
  children.filter(({ name }) => name === 'invite')
export const statusOf = (invite: CallSpan) => numberOf(invite, 'invite.status_code')

type Refused = { targets: string; time: string; status: number }
const REFUSALS: Record<number, (values: Refused) => string> = {
  403: (values) => t('Called {targets}. It was not allowed.', values),
  404: (values) => t('Called {targets}. The number is unknown.', values),
  408: (values) => t('Called {targets}. Nobody answered within {time}.', values),
  480: (values) => t('Called {targets}. Nobody answered within {time}.', values),
  486: (values) => t('Called {targets}. They were busy after {time}.', values),
  487: (values) => t('Called {targets}. Nobody answered within {time}.', values),
  600: (values) => t('Called {targets}. They were busy after {time}.', values),
  603: (values) => t('Called {targets}. They declined after {time}.', values),
}

const namesOf = (targets: readonly string[]) =>
  targets.length === 0
    ? t('another party')
    : targets.length > 3 || targets.includes('')
      ? plural(targets.length, '{n} target|{n} targets')
      : targets.map(quoted).join(', ')

function dial(verb: CallSpan, ended: number | undefined): Told {
  const invites = invitesOf(verb)
  const targets = namesOf(targetsOf(verb))
  const winner = invites.find((invite) => statusOf(invite) === 200)
  if (winner) {
    const until = Math.min(verb.children.find(isResultHook)?.start ?? verb.end, ended ?? verb.end)
    return info(
      t('Called {targets}. They answered after {ring}, and were connected for {talk}.', {
        targets,
        ring: lasted(winner),
        talk: seconds(Math.max(0, until - winner.end)),
      }),
    )
  }
  const last = invites.findLast((invite) => statusOf(invite) !== undefined)
  const status = last && statusOf(last)
  if (!last || status === undefined)
    return warn(t('Called {targets}. The trace does not show whether they answered.', { targets }))
  const values = { targets, status, time: lasted(last) }
  const refused = REFUSALS[status]
  return warn(
    refused ? refused(values) : t('Called {targets}. It failed with SIP status {status}.', values),
  )
}

/** Target of a REFER, empty if the trace does not name it, and the outcome. */
export function transferOf(verb: CallSpan) {
  const sent = verb.children.find(({ name }) => name === 'send-refer')
  return {
    to: addressOf((sent && textOf(sent, 'refer.refer_to')) ?? ''),
    status: sent && numberOf(sent, 'refer.status_code'),
    final: sent && numberOf(sent, 'refer.finalNotify'),
  }
}

function refer(verb: CallSpan): Told {
  const { to: target, status, final } = transferOf(verb)
  const to = target ? quoted(target) : t('another party')
  if (status === undefined)
    return warn(t('Transferred to {to}. The trace does not show the result.', { to }))
  if (status >= 300)
    return warn(t('Transfer to {to} was refused with SIP status {status}.', { to, status }))
  if (final === undefined)
    return info(
      t('Transferred to {to}, which was accepted. The trace does not show whether they answered.', {
        to,
      }),
    )
  if (final >= 300)
    return warn(
      t('Transfer to {to} was accepted, but failed with SIP status {status}.', {
        to,
        status: final,
      }),
    )
  const hook = verb.children.find(isResultHook)
  const time = seconds((hook?.start ?? verb.end) - verb.start)
  return info(t('Transferred to {to}, who answered after {time}.', { to, time }))
}

/** True if a dial reached another party. */
export const isConnected = (verb: CallSpan) =>
  verbOf(verb) === 'dial' && invitesOf(verb).some((invite) => statusOf(invite) === 200)

/** True if a REFER moved the call away, so that its end does not tell who hung up. */
export const isTransferred = (verb: CallSpan) => {
  const { status, final } = transferOf(verb)
  return status !== undefined && status < 300 && final !== undefined && final < 300
}

const MODELS = new Map([
  ['Llm_OpenAI_s2s', 'OpenAI'],
  ['Llm_VoiceAgent_s2s', 'Deepgram Voice Agent'],
  ['Llm_Ultravox_s2s', 'Ultravox'],
  ['Llm_Elevenlabs_s2s', 'ElevenLabs'],
  ['Llm_Google_s2s', 'Google'],
])
/** The platform writes it also when somebody hung up. */
const REASON_OF_SUCCESS = 'normal conversation end'

function modelTold(verb: CallSpan, name: string): Told {
  const reason = bodyOf(verb).completionReason
  const values = { name, time: lasted(verb) }
  if (typeof reason !== 'string' || reason === REASON_OF_SUCCESS)
    return info(
      t(
        'Conversation with a model ({name}) for {time}. Only events of the session have its words and response times.',
        values,
      ),
    )
  return warn(
    t(
      'Conversation with a model ({name}) for {time}. It ended with {reason}. Only events of the session have its words and response times.',
      {
        ...values,
        reason: quoted(reason),
      },
    ),
  )
}

function bot(verb: CallSpan, name: string): Told {
  return info(t('Conversation with {name} for {time}.', { name, time: lasted(verb) }))
}

function enqueue(verb: CallSpan): Told {
  const { queueResult, queueTime } = bodyOf(verb)
  const time = typeof queueTime === 'number' ? seconds(queueTime * 1_000) : lasted(verb)
  if (queueResult === 'bridged')
    return info(t('Waited in a queue for {time}. Then the call was taken.', { time }))
  if (queueResult === 'hangup')
    return warn(t('Waited in a queue for {time}. Then the caller hung up.', { time }))
  if (queueResult === 'leave')
    return info(t('Waited in a queue for {time}. Then the application took it out.', { time }))
  if (queueResult === 'error')
    return warn(t('Waited in a queue for {time}. Then the queue failed.', { time }))
  return info(t('Waited in a queue for {time}.', { time }))
}

function dequeue(verb: CallSpan): Told {
  const time = lasted(verb)
  return bodyOf(verb).dequeueResult === 'timeout'
    ? warn(t('Found nobody in the queue within {time}.', { time }))
    : info(t('Took a call from a queue, for {time}.', { time }))
}

function redirect(verb: CallSpan): Told {
  const hook = verb.children.find(isRedirectHook)
  return info(hook ? t('Redirected to {url}.', { url: quoted(hookName(hook)) }) : t('Redirected.'))
}

function request(verb: CallSpan): Told {
  const status = numberOf(verb, 'response.status_code')
  if (status === undefined) return warn(t('Sent a SIP request within the call, without an answer.'))
  return status < 300
    ? info(t('Sent a SIP request within the call.'))
    : warn(
        t('Sent a SIP request within the call, which was refused with SIP status {status}.', {
          status,
        }),
      )
}

function message(verb: CallSpan): Told {
  const { message_failure_reason: reason } = bodyOf(verb)
  if (typeof reason !== 'string' || reason === '') return info(t('Sent a text message.'))
  return warn(t('A text message failed with {reason}.', { reason: quoted(reason) }))
}

/** By verb: the event that it makes in the conversation, besides speech and listening. */
const VERBS = new Map<string, (verb: CallSpan, ended: number | undefined) => Told>(
  Object.entries({
    dial,
    'sip:refer': refer,
    'sip:request': request,
    'sip:decline': () => info(t('The application declined the call.')),
    enqueue,
    dequeue,
    leave: () => info(t('Left the queue.')),
    conference: (verb) => info(t('Took part in a conference for {time}.', { time: lasted(verb) })),
    dialogflow: (verb) => bot(verb, 'Dialogflow'),
    lex: (verb) => bot(verb, 'Amazon Lex'),
    rasa: (verb) => bot(verb, 'Rasa'),
    listen: (verb) =>
      info(t('Streamed the sound to the application for {time}.', { time: lasted(verb) })),
    pause: (verb) => info(t('Paused for {time}.', { time: lasted(verb) })),
    redirect,
    message,
    dtmf: () => info(t('Sent digits.')),
    'rest:dial': () => info(t('Placed the call.')),
  }),
)

/** Verbs that are reported elsewhere, or change nothing that is heard. */
const QUIET = new Set([
  'say',
  'play',
  'dub',
  'gather',
  'transcribe',
  'config',
  'answer',
  'hangup',
  'alert',
  'tag',
])

/** One that this version does not know, such as of a newer platform. */
function other(verb: CallSpan): Told | undefined {
  const name = verbOf(verb)
  const model = /^Llm_(\w+?)(?:_s2s)?$/.exec(name)?.[1]
  if (model !== undefined) return modelTold(verb, MODELS.get(name) ?? quoted(model))
  if (name === '' || QUIET.has(name)) return undefined
  return info(t('The verb {name} ran for {time}.', { name: quoted(name), time: lasted(verb) }))
}

/** The event of a verb; undefined if it is reported elsewhere, or changes nothing that is heard. */
export function eventOf(verb: CallSpan, ended: number | undefined): CallEvent | undefined {
  const told = VERBS.get(verbOf(verb))?.(verb, ended) ?? other(verb)
  return told ? { kind: 'event', at: verb.start, end: verb.end, ...told } : undefined
}

/** Results of answering machine detection, which webhooks without a name report. */
const DETECTIONS = new Map<unknown, string>(
  Object.entries({
    amd_human_detected: t('A person answered.'),
    amd_machine_detected: t('An answering machine answered.'),
    amd_machine_stopped_speaking: t('The answering machine ended its greeting.'),
    amd_no_speech_detected: t(
      'Whether a person or a machine answered was not recognized: nobody spoke.',
    ),
    amd_decision_timeout: t('Whether a person or a machine answered was not recognized in time.'),
    amd_tone_detected: t('The tone of an answering machine was heard.'),
    amd_error: t('Answering machine detection failed.'),
  }),
)

export function detectionOf(hook: CallSpan): CallEvent | undefined {
  const { type } = jsonOf(hook, 'http.body')
  const text = DETECTIONS.get(type)
  if (text === undefined) return undefined
  return {
    kind: 'event',
    at: hook.start,
    end: null,
    tone: type === 'amd_error' ? 'warn' : 'info',
    text,
  }
}
