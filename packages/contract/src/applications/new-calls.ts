import type { z } from 'zod'
import { membersOf } from '../wire/records.ts'
import { t } from '../wire/text.ts'

type Body = Record<string, unknown>
type Problem = { path: string; message: string }
const is = (body: Body, member: string) => body[member] !== undefined && body[member] !== null
const member = (value: unknown, name: string) => membersOf(value)[name]
const text = (value: unknown) => typeof value === 'string' && value !== ''

const SPEECH = [
  'speech_synthesis_vendor',
  'speech_synthesis_language',
  'speech_synthesis_voice',
  'speech_recognizer_vendor',
  'speech_recognizer_language',
]

function isCallable(to: unknown): boolean {
  switch (member(to, 'type')) {
    case 'phone':
    case 'teams':
      return text(member(to, 'number'))
    case 'user':
      return text(member(to, 'name'))
    case 'sip':
      return text(member(to, 'sipUri'))
    default:
      return false
  }
}

function hookProblem(body: Body, name: string): Problem | undefined {
  const hook = body[name]
  if (!is(body, name)) return undefined
  const url = typeof hook === 'string' ? hook : member(hook, 'url')
  if (typeof url !== 'string')
    return {
      path: name,
      message: t('{name} must be string or an object containing a url property', { name }),
    }
  return /^(?:https?|wss?):\/\/[^\s/]/i.test(url)
    ? undefined
    : { path: name, message: t('{name} url be an absolute url', { name }) }
}

/** Why a new call is invalid, in the platform's order and words. The application's owner is checked later. */
export function newCallProblem(body: Body): Problem | undefined {
  if (!text(body.from)) return { path: 'from', message: t('missing from parameter') }
  if (!isCallable(body.to))
    return {
      path: 'to',
      message: t('missing or invalid to property: {given}', {
        given: JSON.stringify(body.to)?.slice(0, 500),
      }),
    }
  if (is(body, 'application_sid')) {
    if (typeof body.application_sid !== 'string' || body.application_sid.length > 64)
      return { path: 'application_sid', message: t('application_sid not found') }
  } else {
    const missing = SPEECH.find((name) => !text(body[name]))
    if (missing)
      return {
        path: missing,
        message: t('either application_sid or set of {fields} required', {
          fields: SPEECH.join(', '),
        }),
      }
    if (!is(body, 'call_hook'))
      return { path: 'call_hook', message: t('either call_hook or application_sid required') }
  }
  return hookProblem(body, 'call_hook') ?? hookProblem(body, 'call_status_hook')
}

export function messageProblem(body: Body): Problem | undefined {
  for (const name of ['from', 'to'])
    if (!text(body[name])) return { path: name, message: t('missing {name} property', { name }) }
  return is(body, 'text') || is(body, 'media')
    ? undefined
    : { path: 'text', message: t('either text or media required in outbound message') }
}

/** A request body whose unknown members are passed on. */
export const withCheck = <S extends z.ZodType<Body>>(
  schema: S,
  check: (body: Body) => Problem | undefined,
) =>
  schema.superRefine((body, refusal) => {
    const problem = check(membersOf(body))
    if (problem)
      refusal.addIssue({ code: 'custom', path: [problem.path], message: problem.message })
  })
