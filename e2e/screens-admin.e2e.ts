import { expect } from 'vitest'
import { visitEveryScreen } from './screens.ts'

// fetched by the frame: the provider menu, the user, the unread alerts badge and the notice of failing parts
const FRAME = /\/(ServiceProviders|Users\/me|Alerts\/Unread|SystemHealth)$/

visitEveryScreen('admin', async (_, name, path, calls) => {
  // a screen makes no more API calls than it needs
  const own = calls.filter((c) => !FRAME.test(c.split(' ')[1]!))
  expect(own.length, `${name}: ${own.join(', ')}`).toBeLessThanOrEqual(mostCalls(name, path))
})

function mostCalls(name: string, path: string) {
  // the blocks of an overview ask each for their own, and a number's for what its calls were counted by
  if (name === 'phone number overview') return 11
  if (name.endsWith('overview')) return 8
  // a user's sessions and second factor are below the form, administrators' keys below their settings
  if (['user form', 'admin settings'].includes(name)) return 5
  // asks for the health of those it shows, and for the names of the sids
  if (['carriers', 'history', 'webhook request'].includes(name)) return 3
  // the settings, the account's name, and the services that can transcribe
  if (name === 'transcript settings') return 3
  // the application, its number, its runs, the latest of them and its test cases
  if (name === 'try it') return 5
  // the application, the run, its test case, and the speech services that can say its prompts
  if (name === 'run') return 4
  // figures of two periods, findings, calls now and alerts, each by itself, and names of accounts and applications
  if (name === 'dashboard') return 7
  return /\/(add|edit)|settings/.test(path) ? 4 : 2
}
