import { expect, it } from 'vitest'
import { isTimeZone } from './time-zones.ts'

it('knows which zones exist', () => {
  expect(isTimeZone('Europe/Berlin')).toBe(true)
  expect(isTimeZone('Mars/Olympus')).toBe(false)
})
