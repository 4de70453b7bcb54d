import { expect, it } from 'vitest'
import { commandWords } from './command-words'

it.each([
  ['GET', '/PhoneNumbers?page=1&filter=a%20b', 'phone-numbers list --page=1 --filter=a b'],
  ['PUT', '/PhoneNumbers/x', 'phone-numbers update x'],
  ['PUT', '/PhoneNumbers', 'phone-numbers update-many'],
  ['GET', '/Accounts/x/RecentCalls?days=1', 'account-recent-calls list --account-sid=x --days=1'],
  ['GET', '/Accounts/x', 'accounts view x'],
  ['POST', '/Lcrs', 'lcrs create'],
])('%s %s is "%s"', (method, url, words) => {
  expect(commandWords({ method, url })?.join(' ')).toBe(words)
})

it('is none of what no endpoint takes', () => {
  expect(commandWords({ method: 'PATCH', url: '/PhoneNumbers' })).toBeUndefined()
  expect(commandWords({ method: 'GET', url: '/Nothing/at/all' })).toBeUndefined()
})
