import { expect, it } from 'vitest'
import { neighborhoodOf, networkOf } from './network.ts'

it('takes one IPv4 address, however it is written, and the /64 of an IPv6 address', () => {
  expect(networkOf('192.0.2.7')).toBe('192.0.2.7/32')
  expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7/32')
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:db8:1:2::')).toBe(networkOf('2001:db8:1:2:ffff::1'))
  expect(networkOf('2001:db8:1:3::')).not.toBe(networkOf('2001:db8:1:2::'))
  expect(networkOf('command line')).toBe('command line')
})

it('takes the /24 or the /48 as the place', () => {
  expect(neighborhoodOf('192.0.2.7')).toBe(neighborhoodOf('192.0.2.200'))
  expect(neighborhoodOf('192.0.3.7')).not.toBe(neighborhoodOf('192.0.2.7'))
  expect(neighborhoodOf('2001:db8:1:2::')).toBe(neighborhoodOf('2001:db8:1:9::'))
})
