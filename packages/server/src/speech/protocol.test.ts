import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { type Use, type Vendor, type VendorId, vendors } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { EXAMPLES } from '../../test/vendor-examples.ts'
import { protocolOf, vendorId } from './protocol.ts'

/** Vendors of the platform. Others may have no protocol: they are stored, and not tested. */
const ids = [...new Set(EXAMPLES.map((b) => vendorId(b.vendor)!))]
const files = globSync('vendors/*.ts', { cwd: import.meta.dirname }).map((f) => basename(f, '.ts'))

it('has one file per vendor, with only its parts and tests beside it', () => {
  expect(files).toEqual(expect.arrayContaining(ids))
  const all = Object.keys(vendors)
  const strays = files.filter((f) => !all.some((id) => f === id || /^[.-]/.test(f.replace(id, ''))))
  expect(strays).toEqual([])
})

it.each(ids)('tests %s', (id) => expect(files).toContain(`${id}.test`))

it.each(ids)('finds the protocol of %s by its name', async (id) => {
  expect(Object.keys(await protocolOf(id))).not.toEqual([])
  expect(vendorId(id)).toBe(id)
})

it('maps every custom vendor to one protocol, and unknown vendors to none', () => {
  expect(vendorId('custom:mine')).toBe('custom')
  expect(vendorId('constructor')).toBeUndefined()
  expect(vendorId('../vendors/aws')).toBeUndefined()
})

/** Uses that cannot be tested free of charge, and why. */
const UNPROVEN: Record<string, string> = {
  'custom tts': 'an HTTP server of somebody knows one call for sure, and that one speaks',
  'rimelabs tts': 'the list of voices is public; nothing that needs a key is free',
}
/** Uses that a protocol implements but this test does not run, and why. */
const UNTRIED: Record<string, string> = {
  'nuance stt': 'its service is not published well enough to speak it rightly',
}
/** Vendors without a list of voices and languages, and why. */
const UNLISTED: Partial<Record<VendorId, string>> = {
  custom: 'nobody knows but its owner',
  deepgramflux: 'the platform has none either',
}

const uses = ids.flatMap((id) =>
  (vendors[id] as Vendor).does.map((use) => ({ id, use, what: `${id} ${use}` })),
)

it('probes a credential for every use of its vendor', async () => {
  const unproven: string[] = []
  for (const { id, use, what } of uses)
    if (!(await protocolOf(id)).probe?.[use]) unproven.push(what)
  expect(unproven).toEqual(Object.keys(UNPROVEN))
  const untestable = uses.filter(({ id, use }) => (vendors[id] as Vendor).untestable?.includes(use))
  expect(untestable.map(({ what }) => what)).toEqual(unproven)
})

it('can run a live test of every use', async () => {
  const how = { tts: 'speak', stt: 'recognize' } satisfies Record<Use, string>
  const untried: string[] = []
  for (const { id, use, what } of uses)
    if (!(await protocolOf(id))[how[use] as 'speak' | 'recognize']) untried.push(what)
  expect(untried).toEqual(Object.keys(UNTRIED))
})

it('probes and tests no use that a vendor does not have', async () => {
  for (const id of ids) {
    const { does } = vendors[id] as Vendor
    const { probe = {}, speak, recognize } = await protocolOf(id)
    const has = (use: Use) => does.includes(use)
    expect(
      Object.keys(probe).filter((use) => !has(use as Use)),
      id,
    ).toEqual([])
    if (speak) expect(has('tts'), `${id} speaks`).toBe(true)
    if (recognize) expect(has('stt'), `${id} listens`).toBe(true)
  }
})

it('has a fallback catalogue for every use when a vendor cannot be asked', async () => {
  for (const { id, use, what } of uses) {
    if (id in UNLISTED) continue
    expect((await protocolOf(id)).fallback?.[use]?.length, what).toBeGreaterThan(0)
  }
})
