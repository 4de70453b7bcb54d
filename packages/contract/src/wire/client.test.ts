import { expect, it } from 'vitest'
import { errorBody } from './client.ts'
import { ErrorBody } from './error-body.ts'

const OURS = { code: 'conflict', msg: 'Taken', request_id: 'r1', issues: [] }

it.each([
  OURS,
  { ...OURS, issues: [{ path: ['rows', 0], message: 'Wrong' }] },
  { ...OURS, used_by: [{ kind: 'account', total: 1, items: [] }] },
])('reads the error of this server as its schema does: %j', (body) => {
  expect(errorBody(body)).toEqual(ErrorBody.parse(body))
})

it.each([
  [{ msg: 'no' }, 'no'],
  [{ error: 'nope' }, 'nope'],
  [{ message: 'Bad gateway' }, 'Bad gateway'],
  [{ ...OURS, code: 'of a later version' }, 'Taken'],
  [{ ...OURS, issues: [{ message: 'without a path' }] }, 'Taken'],
  [{ ...OURS, issues: 'none' }, 'Taken'],
  [undefined, 'Something went wrong, please try again'],
  ['<html>', 'Something went wrong, please try again'],
])('takes no more than the sentence of %j', (body, msg) => {
  expect(errorBody(body)).toEqual({ code: 'internal', msg, request_id: '', issues: [] })
})
