import type { AppEnvSchema } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { environmentIssues, environmentToSend, unknownNames } from './environment'

const schema = {
  NAME: { type: 'string', description: '', required: true },
  SIZE: { type: 'number', description: '', default: 0 },
  LOUD: { type: 'boolean', description: '', default: false },
  SURE: { type: 'boolean', description: '', required: true },
  PICK: { type: 'number', description: '', enum: [1, 2] },
  constructor: { type: 'string', description: '' },
} as AppEnvSchema

it('sends declared types, falsy defaults, and undeclared variables', () => {
  expect(environmentToSend({ NAME: 'x', PICK: '2', other: 'kept', gone: '' }, schema)).toEqual({
    NAME: 'x',
    SIZE: 0,
    LOUD: false,
    SURE: false,
    PICK: 2,
    other: 'kept',
  })
  expect(environmentToSend({ NAME: 3, SIZE: '1.5', LOUD: true }, schema)).toMatchObject({
    NAME: '3',
    SIZE: 1.5,
    LOUD: true,
  })
})

it('does not restore a default that was cleared', () => {
  expect(environmentToSend({ SIZE: '' }, { SIZE: schema.SIZE! })).toBeNull()
})

it('keeps everything without a schema', () => {
  expect(environmentToSend({ a: 'x', b: false, c: 0 })).toEqual({ a: 'x', b: false, c: 0 })
  expect(environmentToSend({})).toBeNull()
  expect(environmentIssues({ a: 'x' })).toEqual([])
  expect(unknownNames({ a: 'x', b: '', NAME: 'y' }, schema)).toEqual(['a'])
})

it('describes errors', () => {
  expect(environmentIssues({ SIZE: 'many', PICK: '3' }, schema)).toEqual([
    { path: ['env_vars', 'NAME'], message: 'Required' },
    { path: ['env_vars', 'SIZE'], message: 'Enter a number' },
    { path: ['env_vars', 'PICK'], message: 'Choose a value from the list' },
  ])
})
