import { api, type Endpoint, type Group, kebab } from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import { EXCUSES, PARTS } from '../src/excuses.ts'
import { KINDS, REFERENCES } from '../src/kinds.ts'
import { bodyFrom, endpointOf } from '../src/read.ts'
import { membersOfKind, referencesIn, type Schema } from '../src/shapes.ts'

/** Kinds of files against the contract: what can be created or set has a file, is a part of what has one, or is excused. */

const groups = Object.entries(api as Record<string, Group>)
const isSetting = (e: Endpoint) => e.method === 'PUT' && e.versioned === true
const isAddition = (e: Endpoint) =>
  e.method === 'POST' && e.status === 201 && e.access !== 'public' && !e.takesCsv
const made = groups
  .filter(([, group]) => Object.values(group).some((e) => isSetting(e) || isAddition(e)))
  .map(([name]) => name)
const inFiles = KINDS.flatMap(({ group, providerGroup }) => [group, providerGroup ?? group])

it.each(made)('%s are in files, or it is said why not', (group) => {
  expect(inFiles.includes(group) || group in PARTS || group in EXCUSES, group).toBe(true)
})

it('excuses nothing that is not there, or is in files', () => {
  for (const name of [...Object.keys(EXCUSES), ...Object.keys(PARTS)]) {
    expect(made).toContain(name)
    expect(inFiles).not.toContain(name)
  }
})

describe.each(KINDS)('$file', (kind) => {
  const body = endpointOf(kind.group, bodyFrom(kind)).body as Schema
  const members = membersOfKind(kind, body, {})

  it('are called as on the command line', () => {
    const name = kind.providerGroup ? 'speech-credentials' : kebab(kind.group)
    expect(kind.file).toBe(name)
  })

  it('can be read, changed, and as a rule created and deleted', () => {
    const names = ['view', 'update', ...(kind.id && !kind.isUpdateOnly ? ['create', 'remove'] : [])]
    for (const group of [kind.group, kind.providerGroup ?? kind.group])
      for (const name of names) expect(endpointOf(group, name), `${group}.${name}`).toBeDefined()
  })

  it('refer to other things by names', () => {
    const own = Object.keys(members).filter((name) => name.endsWith('_sid'))
    for (const name of own) expect(REFERENCES, name).toHaveProperty(name)
    for (const name of referencesIn(body))
      expect(KINDS.map(({ file }) => file)).toContain(REFERENCES[name])
  })

  it('have the members that the table names', () => {
    const all = membersOfKind({ ...kind, omitted: [] }, body, {})
    const names = [
      ...kind.nameMembers,
      ...(kind.omitted ?? []),
      ...(kind.immutable ?? []),
      ...(kind.bulkUpdate?.members ?? []),
      ...(kind.updatedTogether ?? []),
      ...Object.keys(kind.defaults ?? {}),
      ...Object.keys(kind.lists ?? {}),
    ]
    for (const name of names) expect(all).toHaveProperty(name)
  })
})
