import { expect, it } from 'vitest'
import { peersOf, trunkText } from './trunk-text.ts'

it.each([
  ['user', 'SIP clients'],
  ['sipUri', 'SIP addresses'],
  ['Northwind Voice', 'Northwind Voice'],
  // names of every object's members
  ['constructor', 'constructor'],
])('tells who is on the other side of %s', (trunk, text) => {
  expect(trunkText(trunk)).toBe(text)
  expect(peersOf(trunk)).toBe(text === trunk ? undefined : text)
})
