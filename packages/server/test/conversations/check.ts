import type { Conversation, Heard, Said } from '@switchroom/contract'
import { expect } from 'vitest'
import { type Example, T0 } from './example.ts'

/** A conversation with times since the start of the trace, as the examples have them. */
function seen(conversation: Conversation) {
  const since = <V>(value: V) => (typeof value === 'number' ? value - T0 : value)
  const entries = conversation.entries.map((entry) => ({
    ...entry,
    at: since(entry.at),
    ...('end' in entry && { end: since(entry.end) }),
    ...('from' in entry && { from: since(entry.from) }),
    ...('response' in entry && entry.response
      ? { response: { ...entry.response, began: since(entry.response.began) } }
      : {}),
  }))
  const heard = entries.filter((entry): entry is Heard => entry.kind === 'heard')
  const slowest = conversation.slowest === null ? null : entries[conversation.slowest]
  return {
    answered: since(conversation.answered),
    ended: since(conversation.ended),
    recording: since(conversation.recording),
    hung_up_by: conversation.hung_up_by,
    greeting_ms: conversation.greeting_ms,
    median_ms: conversation.median_ms,
    slowest: slowest ? heard.indexOf(slowest as Heard) : null,
    heard,
    said: entries.filter((entry): entry is Said => entry.kind === 'said'),
  }
}

/** Fails unless a conversation is as its example expects. */
export function checkConversation({ expected }: Example, conversation: Conversation) {
  const { events, findings, noFindings = [], ...rest } = expected
  expect(seen(conversation)).toMatchObject(rest)
  const told = conversation.entries.flatMap((e) => (e.kind === 'event' ? [e.text] : []))
  let from = 0
  for (const wanted of events) {
    const index = told.findIndex((text, i) => i >= from && wanted.test(text))
    expect(index, `${wanted} in ${JSON.stringify(told)}`).not.toBe(-1)
    from = index
  }
  const texts = conversation.findings.map(({ text }) => text)
  for (const wanted of findings)
    expect(texts, String(wanted)).toContainEqual(expect.stringMatching(wanted))
  const unforeseen = texts.filter((text) => !findings.some((wanted) => wanted.test(text)))
  expect(unforeseen).toEqual([])
  for (const unwanted of noFindings)
    expect(texts).not.toContainEqual(expect.stringMatching(unwanted))
}
