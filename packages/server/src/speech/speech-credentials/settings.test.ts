import { allFields, MASK, type Vendor, vendors } from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import { EXAMPLES } from '../../../test/vendor-examples.ts'
import { Failure } from '../../http/failure.ts'
import { secretBox } from '../../secrets/secret-box.ts'
import { type Config, configOf, toStore } from '../stored.ts'
import { changedConfig, newConfig } from './settings.ts'

const box = secretBox({ secret: 'test-secret', legacy: false })
const uses = { tts: true, stt: true }

/** Values that no form sends. */
const HOSTILE: unknown[] = [
  null,
  ' ',
  1e21,
  true,
  ['a'],
  { private_key: MASK },
  MASK,
  '[]',
  '{"private_key":1,"client_email":{}}',
  '{"__proto__":{"a":1},"constructor":1}',
  'x'.repeat(7_000),
]

const orRefused = (work: () => Config | undefined): Config | undefined | 'refused' => {
  try {
    return work()
  } catch (e) {
    expect(e).toBeInstanceOf(Failure)
    expect((e as Failure).code).toBe('conflict')
    return 'refused'
  }
}

describe.each(Object.values(vendors) as Vendor[])('$id', (vendor) => {
  const stored = vendor.id === 'custom' ? 'custom:acme' : vendor.id
  const full = EXAMPLES.find((b) => b.vendor === stored)!.sent
  const reopened = (config: Config) =>
    configOf(box, { vendor: stored, credential: toStore(box, { vendor: stored, config }) })

  it('accepts or rejects generated values, and reads back what it accepted', () => {
    const before = reopened(newConfig(vendor, uses, full))
    for (const key of [...Object.keys(allFields(vendor)), 'mode', '__proto__', 'constructor'])
      for (const value of HOSTILE) {
        const body = { ...full, [key]: value } as Record<string, unknown>
        // a mode that is no text is refused before
        if (key === 'mode' && typeof value !== 'string' && value !== null) continue
        const made = orRefused(() => newConfig(vendor, uses, body as { mode?: string }))
        if (made !== 'refused') expect(reopened(made!)).toMatchObject(made!)
        const change = { [key]: value } as { mode?: string }
        const after = orRefused(() => changedConfig(vendor, { uses, config: before }, uses, change))
        if (after && after !== 'refused') expect(reopened(after)).toMatchObject(after)
      }
  })

  it('changes a credential that a stock server has left empty', () => {
    for (const key of Object.keys(allFields(vendor))) {
      const change = { [key]: 'eu-west' }
      const after = orRefused(() => changedConfig(vendor, { uses, config: {} }, uses, change))
      if (after && after !== 'refused') expect(reopened(after)).toMatchObject(after)
    }
  })

  it('changes nothing when everything is sent back', () => {
    const config = reopened(newConfig(vendor, uses, full))!
    expect(changedConfig(vendor, { uses, config }, uses, config)).toBeUndefined()
    expect(reopened(config)).toEqual(config)
  })
})
