import { expect } from 'vitest'
import { visitEveryScreen } from './screens.ts'

// fetched by the frame: the provider menu, the user and the unread alerts badge
const FRAME = /\/(ServiceProviders|Users\/me|Alerts\/Unread)$/

visitEveryScreen('admin', async (_, name, path, calls) => {
  // a screen makes no more API calls than it needs
  const own = calls.filter((c) => !FRAME.test(c.split(' ')[1]!))
  const most = /\/(add|edit)|settings/.test(path) ? 4 : 2
  expect(own.length, `${name}: ${own.join(', ')}`).toBeLessThanOrEqual(most)
})
