import { expect, it } from 'vitest'
import { errorCode, errorMember, errorMessage, errorNumber, errorText } from './members.ts'

it('reads members of a thrown value if they have that type', () => {
  const e = Object.assign(new Error('no such file'), { code: 'ENOENT', errno: -2 })
  expect(errorCode(e)).toBe('ENOENT')
  expect(errorNumber(e, 'errno')).toBe(-2)
  expect(errorText(e, 'errno')).toBeUndefined()
  expect(errorNumber(e, 'code')).toBeUndefined()
  expect(errorMessage(e)).toBe('no such file')
})

it.each([null, undefined, 'text', 7])('accepts any thrown value: %s', (thrown) => {
  expect(errorMember(thrown, 'code')).toBeUndefined()
  expect(errorCode(thrown)).toBeUndefined()
  expect(errorMessage(thrown)).toBe(String(thrown))
})
