import { dub } from '../dub.ts'
import type { WalkedVerb } from '../walkable.ts'
import { bot, llm } from './agents.ts'
import { conference } from './conference.ts'
import { dial } from './dial.ts'
import { gather } from './gather.ts'
import { listen, transcribe } from './media.ts'
import { dtmf, pause, play, say } from './prompts.ts'
import { dequeue, enqueue } from './queues.ts'
import { redirect } from './redirect.ts'
import { alert, answer, config, decline, hangup, leave, tag } from './simple.ts'
import { message, sipRefer, sipRequest } from './sip.ts'
import { transfer } from './transfer.ts'
import type { Walk } from './walk-type.ts'

/** The implementation of each verb. */
export const verbs: Record<WalkedVerb, Walk> = {
  agent: llm,
  alert,
  answer,
  conference,
  config,
  dequeue,
  dial,
  dialogflow: bot,
  dtmf,
  dub,
  enqueue,
  gather,
  hangup,
  leave,
  lex: bot,
  listen,
  llm,
  message,
  pause,
  play,
  rasa: bot,
  redirect,
  say,
  'sip:decline': decline,
  'sip:refer': sipRefer,
  'sip:request': sipRequest,
  tag,
  transcribe,
  transfer,
}
