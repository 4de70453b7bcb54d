import { ApiError } from '@switchroom/contract'
import { expect, it, vi } from 'vitest'
import { messageOf } from './failure'

// both modules need a browser
vi.mock('./session', () => ({ UNREACHABLE: '' }))
vi.mock('./transport', () => ({ Unreachable: class extends Error {} }))

const apiError = (msg: string, ...messages: string[]) =>
  new ApiError(400, {
    code: 'invalid',
    msg,
    request_id: '',
    issues: messages.map((message) => ({ path: ['lcr_sid'], message })),
  })

it.each([
  [apiError('missing lcr_sid', 'Choose a routing table'), 'Choose a routing table'],
  [
    apiError('missing lcr_sid', 'Choose a carrier', 'Enter the name', 'Enter the name'),
    'Choose a carrier. Enter the name',
  ],
  [apiError('cannot be in use'), 'cannot be in use'],
])('shows field messages if the error has them: %s', (error, text) => {
  expect(messageOf(error)).toBe(text)
})
