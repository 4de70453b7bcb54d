import { expect, it } from 'vitest'
import { errorsIn, isNear, unspoiledParts } from './typing-errors.ts'

it.each([
  ['Moor', 0],
  ['Moore', 1],
  ['Aldermoor north', 2],
  ['+44 20 7946 0958', 0],
  ['Thameslane Telecom of the British Isles', 3],
])('allows one error in five letters: %s may have %i', (typed, errors) => {
  expect(errorsIn(typed)).toBe(errors)
})

it.each([
  ['Aldermoor', 'Aldermor', 1, true],
  ['Aldermoor', 'Aldermooor', 1, true],
  ['Aldermoor', 'Aldremoor', 1, true],
  ['Aldermoor', 'Oldermoor', 1, true],
  ['Aldermoor', 'Ldermoor', 1, true],
  ['Aldermoor', 'Oldremoor', 1, false],
  ['North Aldermoor Trunk', 'aldemoor', 1, true],
  // not from the middle of a word
  ['Northaldermoor', 'aldemoor', 1, false],
  ['Évora', 'Evoar', 1, true],
])('%s, typed as %s with %i errors: %s', (text, typed, errors, near) => {
  expect(isNear(text, typed, errors)).toBe(near)
})

it('keeps a part of every text with one error', () => {
  const name = 'aldermoor'
  const letters = Array.from(name)
  const typed = letters.flatMap((letter, i) => [
    letters.toSpliced(i, 1),
    letters.toSpliced(i, 1, 'x'),
    letters.toSpliced(i, 0, 'x'),
    letters.toSpliced(i, 2, letters[i + 1] ?? '', letter),
  ])
  for (const text of typed.map((t) => t.join(''))) {
    const parts = unspoiledParts(text, 1)
    expect(
      parts.some((part) => name.includes(part)),
      text,
    ).toBe(true)
    expect(Math.min(...parts.map((part) => part.length)), text).toBeGreaterThan(2)
  }
})
