import { randomBytes } from 'node:crypto'
import { isRecord, t } from '@switchroom/contract'
import { isTooDeep } from './received.ts'
import type { Members } from './run-application.ts'

/** What a WebSocket application asks for by itself; `members` is the whole message. */
export type Command = { command: string; data: unknown; is_queued: boolean; members: Members }

/** A message of a WebSocket application, or what the platform says against it. */
export type Incoming =
  | { type: 'ack'; msgid: string; data: unknown }
  | ({ type: 'command' } & Command)
  | { type: 'invalid'; details: string }

/** Commands that need no data. */
const BARE = ['llm:tool-output', 'tts:flush', 'tts:clear']

export function readMessage(text: string): Incoming {
  const message = parsed(text)
  if (!isRecord(message)) return { type: 'invalid', details: 'invalid JSON' }
  const { type, msgid, command, data } = message
  if (type === 'ack')
    return typeof msgid === 'string'
      ? { type, msgid, data }
      : { type: 'invalid', details: 'missing msgid' }
  if (type !== 'command')
    return {
      type: 'invalid',
      details: type === undefined ? 'missing type' : `invalid type property: ${type}`,
    }
  if (typeof command !== 'string') return { type: 'invalid', details: 'missing command' }
  if (data === undefined && !BARE.includes(command))
    return { type: 'invalid', details: 'missing data' }
  return { type, command, data, is_queued: message.queueCommand === true, members: message }
}

function parsed(text: string): unknown {
  try {
    return isTooDeep(text) ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** As long as a UUID in base58. */
export const messageId = () =>
  [...randomBytes(22)].map((byte) => BASE58[byte % BASE58.length]).join('')

/** Why a WebSocket was closed, in words. */
export const closedSentence = (code: number, reason: string) =>
  reason
    ? t('The application closed the WebSocket with code {code}: {reason}', { code, reason })
    : t('The application closed the WebSocket with code {code}', { code })
