import { isOneOf, msg } from '@switchroom/contract'

/** The verbs that a run walks, each in a file of `verbs`. */
export const WALKED = [
  'agent',
  'alert',
  'answer',
  'conference',
  'config',
  'dequeue',
  'dial',
  'dialogflow',
  'dtmf',
  'dub',
  'enqueue',
  'gather',
  'hangup',
  'leave',
  'lex',
  'listen',
  'llm',
  'message',
  'pause',
  'play',
  'rasa',
  'redirect',
  'say',
  'sip:decline',
  'sip:refer',
  'sip:request',
  'tag',
  'transcribe',
  'transfer',
] as const
export type WalkedVerb = (typeof WALKED)[number]

export const isWalked = (name: string): name is WalkedVerb => isOneOf(WALKED, name)

/** Entries of the platform's specification that look like verbs, and why no run walks them. */
export const NOT_WALKABLE: Record<string, string> = {
  pipeline: msg('The platform has no code that runs pipeline, so it rejects it.'),
  'rest:dial': msg(
    'The platform uses rest:dial only inside its REST API. Applications cannot send it.',
  ),
}
