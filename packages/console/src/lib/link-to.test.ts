import { expect, it } from 'vitest'
import { linkTo } from './link-to'

it.each([
  ['/internal/voice', { to: '/internal/voice' }],
  ['/internal/carriers/a%2Fb/edit', { to: '/internal/carriers/a%2Fb/edit' }],
  // the router appends the provider to what is searched: as part of the path, the last value took it in
  [
    '/internal/recent-calls?trunk=A%3FB+C&end=2026-11-28T10%3A59%3A59.999Z',
    { to: '/internal/recent-calls', search: { trunk: 'A?B C', end: '2026-11-28T10:59:59.999Z' } },
  ],
])('takes %s apart', (address, parts) => expect(linkTo(address)).toEqual(parts))
