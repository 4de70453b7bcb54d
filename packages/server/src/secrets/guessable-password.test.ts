import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { expect, it, vi } from 'vitest'
import { PERSONAL, TOO_EASY, whyGuessable } from './guessable-password.ts'

const known = ['jane.doe', 'jane.doe@carrier-one.example']

it.each([
  'password',
  'Password1',
  'p@ssw0rd!',
  'aaaaaaaa',
  '12345678',
  'abcdefgh',
  'qwertyuiop',
  'passwordpassword',
  '19840512',
  'admin123',
  'letmein1',
  'a'.repeat(1_024),
  'abc123'.repeat(10),
])('calls %.40s too easy', async (password) => {
  expect(await whyGuessable(password, known)).toBe(TOO_EASY)
})

it.each([
  'jane.doe',
  'Jane.Doe1!',
  'jane.doe@carrier-one.example',
  'CARRIER-one1',
  'switchroom',
  'Switchroom2026!',
  '5w1tchr00m99',
  'moorhctiws',
  'jambonz!2026',
])('calls %s personal', async (password) => {
  expect(await whyGuessable(password, known)).toBe(PERSONAL)
})

it.each(['kXv9qLm2', 'long enough 1', 'correct horse battery', 'jane and 9 unrelated llamas'])(
  'accepts %s',
  async (password) => {
    expect(await whyGuessable(password, known)).toBeUndefined()
  },
)

it('accepts a long random password whatever follows its first 64 characters', async () => {
  const random = 'xK3#vQ9!mZ7@pL2$'.repeat(4)
  expect(await whyGuessable(random + 'a'.repeat(900), known)).toBeUndefined()
})

it('accepts what begins with a good password, and looks no further', async () => {
  expect(await whyGuessable(`kXv9qLm2 correct horse 7${'a'.repeat(40)}`, known)).toBeUndefined()
  expect(await whyGuessable(`${'a'.repeat(24)}jane.doe`, known)).toBe(TOO_EASY)
})

it('estimates no more than the beginning of a long password, which takes seconds as a whole', async () => {
  const check = vi.spyOn(ZxcvbnFactory.prototype, 'check')
  await whyGuessable('a'.repeat(24) + 'p4$5w0rd01/02/1999'.repeat(55), [])
  const lengths = check.mock.results.map(({ value }) =>
    value.sequence.reduce((sum: number, { token }: { token: string }) => sum + token.length, 0),
  )
  check.mockRestore()
  expect(lengths).toEqual([24, 64])
})
