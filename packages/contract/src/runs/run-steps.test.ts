import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { hidingOf } from '../wire/hidden.ts'
import { Answer, Question } from './run-answers.ts'
import { Expectation, ExpectationOutcome } from './run-expectations.ts'
import { RunStart, RunStep } from './run-steps.ts'

const START = { direction: 'inbound', from: '15551230001', to: 'alice@acme.example' }

describe('the start of a run', () => {
  it.each([
    START,
    { ...START, caller_name: 'Ann', sip_headers: { 'X-Customer': 'a, b' } },
    { ...START, from: 'sip:ann@x.example' },
  ])('can be %j', (start) => {
    expect(RunStart.safeParse(start).success).toBe(true)
  })

  it.each([
    { ...START, to: '' },
    { ...START, from: 'a b' },
    { ...START, from: 'x'.repeat(129) },
    { ...START, direction: 'outbound' },
    { ...START, sip_headers: { 'X-Customer': 'a\r\nVia: b' } },
    { ...START, sip_headers: { 'X Customer': 'a' } },
    {
      ...START,
      sip_headers: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`X-${i}`, ''])),
    },
  ])('cannot be %j', (start) => {
    expect(RunStart.safeParse(start).success).toBe(false)
  })
})

it.each([
  { kind: 'digits', digits: '12x' },
  { kind: 'digits', digits: '' },
  { kind: 'speech', text: '' },
  { kind: 'speech', text: 'x'.repeat(2_001) },
  { kind: 'speech', text: 'x', confidence: 2 },
  { kind: 'answered', seconds: 1e9 },
  { kind: 'failed', status: 1_000 },
  { kind: 'shout' },
])('no answer is %j', (answer) => {
  expect(Answer.safeParse(answer).success).toBe(false)
})

/** Fields that only have words of ours. */
const OURS =
  /^(?:verb|vendor|language|voice|label|command|sip_reason|type|method|finish_keys|path)$/

/** The fields of free text that view-only users would read. */
function* readable(schema: unknown, name = ''): Generator<string> {
  if (!(schema instanceof z.ZodType) || hidingOf(schema)) return
  if (schema instanceof z.ZodObject)
    for (const [key, field] of Object.entries(schema.shape)) yield* readable(field, key)
  else if (schema instanceof z.ZodUnion)
    for (const option of schema.options) yield* readable(option, name)
  else if (schema instanceof z.ZodArray) yield* readable(schema.element, name)
  else if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    yield* readable(schema.unwrap(), name)
  else if (schema instanceof z.ZodRecord) yield* readable(schema.valueType, name)
  else if (schema instanceof z.ZodString || schema instanceof z.ZodUnknown) yield name
}

it('hides words, digits and addresses from view-only users', () => {
  const names = [RunStep, Answer, Question, Expectation, ExpectationOutcome].flatMap((schema) => [
    ...readable(schema),
  ])
  expect([...new Set(names)].filter((name) => !OURS.test(name))).toEqual([])
  expect([...readable(RunStart)].sort()).toEqual(['caller_name', 'from', 'to'])
})
