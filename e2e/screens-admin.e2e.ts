import { expect } from 'vitest'
import { visitEveryScreen } from './screens.ts'

// the frame's own: the providers to choose from, and the badge of unread alerts
const FRAME = /\/(ServiceProviders|Users\/me|Alerts\/Unread)$/

visitEveryScreen('admin', async (_, name, path, calls) => {
  // it asks the API for no more than it shows
  const own = calls.filter((c) => !FRAME.test(c.split(' ')[1]!))
  const most = /\/(add|edit)|settings/.test(path) ? 4 : 2
  expect(own.length, `${name}: ${own.join(', ')}`).toBeLessThanOrEqual(most)
})
