import { api, type Endpoint, kebab } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { RESERVED } from '../src/program.ts'
import { table } from '../src/table.ts'
import { testTerminal } from './terminal.ts'

const every = Object.entries(api).flatMap(([group, endpoints]) =>
  Object.entries(endpoints as Record<string, Endpoint>).map(([name, e]) => ({ group, name, e })),
)

it('has a command for every endpoint, with its help', async () => {
  const { run } = testTerminal({})
  for (const { group, name, e } of every) {
    const { code, out } = await run(kebab(group), kebab(name), '--help')
    expect(code, `${group}.${name}`).toBe(0)
    expect(out.replace(/\s+/g, ' ')).toContain(e.summary)
  }
})

it('keeps flags of endpoints apart from its own', () => {
  const taken = Object.entries(table).flatMap(([group, rows]) =>
    Object.entries(rows).flatMap(([name, { flags }]) =>
      flags
        .filter((flag) => RESERVED.includes(kebab(flag.name)))
        .map((flag) => `${group}.${name} --${kebab(flag.name)}`),
    ),
  )
  expect(taken).toEqual([])
})

it('names no two commands of a group alike', () => {
  for (const [group, rows] of Object.entries(table)) {
    const names = Object.keys(rows).map(kebab)
    expect(new Set(names).size, group).toBe(names.length)
  }
})
