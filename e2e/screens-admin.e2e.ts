import { expect } from 'vitest'
import { visitEveryScreen } from './screens.ts'

// fetched by the frame: the provider menu, the user, the unread alerts badge and the notice of failing parts
const FRAME = /\/(ServiceProviders|Users\/me|Alerts\/Unread|SystemHealth)$/

visitEveryScreen('admin', async (_, name, path, calls) => {
  // a screen makes no more API calls than it needs
  const own = calls.filter((c) => !FRAME.test(c.split(' ')[1]!))
  // a user's sessions and second factor are below the form, administrators' keys below their settings
  const most = ['user form', 'admin settings'].includes(name)
    ? 5
    : /\/(add|edit)|settings/.test(path)
      ? 4
      : 2
  expect(own.length, `${name}: ${own.join(', ')}`).toBeLessThanOrEqual(most)
})
