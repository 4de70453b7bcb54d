import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import specs from '@jambonz/verb-specifications/specs.json' with { type: 'json' }
import {
  explained,
  isAtLeast,
  listProblem,
  NEWER_MEMBERS,
  NEWER_VERBS,
  NEWEST_PLATFORM,
  newerSentence,
  PLATFORM_VERSION,
  readVerb,
  specsOf,
  type VerbSpecs,
  verbProblem,
} from '@switchroom/contract'
import { describe, expect, it } from 'vitest'

const known = specs as unknown as VerbSpecs

type Schema = {
  minVersion?: string
  properties?: Record<string, unknown>
  required?: string[]
  allOf?: { $ref?: string }[]
}
/** The platform's own schema of its verbs, as it is installed. */
const folder = dirname(createRequire(import.meta.url).resolve('@jambonz/schema'))
const read = (file: string): Schema => JSON.parse(readFileSync(file, 'utf8'))
const EXTENSION = '.schema.json'
const schemasIn = (of: string) =>
  readdirSync(join(folder, of))
    .filter((file) => file.endsWith(EXTENSION))
    .map((file) => ({ name: file.slice(0, -EXTENSION.length), file: join(folder, of, file) }))
const nameOf = (file: string) => file.replace(/^sip-/, 'sip:').replace('rest_dial', 'rest:dial')

function membersOf(file: string): string[] {
  const { properties = {}, allOf = [] } = read(file)
  const others = allOf.flatMap(({ $ref }) =>
    $ref ? membersOf(normalize(join(dirname(file), $ref + EXTENSION))) : [],
  )
  return [...Object.keys(properties), ...others]
}

describe('the platform’s schema', () => {
  const verbs = schemasIn('verbs').map(({ name, file }) => ({ name: nameOf(name), file }))

  it('has no verb that is not known', () => {
    const unknown = verbs.filter(({ name }) => {
      const isOld = verbProblem([{ [name]: {} }], known)?.message.startsWith('invalid instruction')
      return isOld && !Object.hasOwn(NEWER_VERBS, name)
    })
    expect(unknown.map(({ name }) => name)).toEqual([])
  })

  it.each(Object.entries(NEWER_VERBS))('knows %s from the version that is told', (name, newer) => {
    const { minVersion = '', required = [] } = read(verbs.find((verb) => verb.name === name)!.file)
    // it also gives versions that cannot be: their own specification does not have them
    expect(newer.from).toBe(isAtLeast(minVersion, PLATFORM_VERSION) ? minVersion : null)
    expect(newer.required ?? []).toEqual(
      expect.arrayContaining(required.filter((one) => one !== 'verb')),
    )
    expect(isAtLeast(NEWEST_PLATFORM, newer.from ?? '0.0.0')).toBe(true)
  })

  it('has no member that is not known', () => {
    const all = [
      ...verbs,
      ...schemasIn('components')
        .map(({ name, file }) => ({ name: name.replace('recognizer-', ''), file }))
        // a member of a model, which is no verb
        .filter(({ name }) => name !== 'hangup'),
    ]
    const newer = specsOf(known, NEWEST_PLATFORM)
    const unknown = all.flatMap(({ name, file }) => {
      const spec = newer[readVerb({ verb: name }).name]
      if (!spec || spec.isOpen) return []
      const members = membersOf(file).filter((member) => member !== 'verb')
      return members
        .filter((one) => !Object.hasOwn(spec.properties, one))
        .map((one) => `${name}.${one}`)
    })
    expect([...new Set(unknown)]).toEqual([])
    // and none that is known already
    const old = Object.entries(NEWER_MEMBERS).flatMap(([name, members]) =>
      members.filter((one) => Object.hasOwn(known[name]!.properties, one)),
    )
    expect(old).toEqual([])
  })
})

describe('a version', () => {
  const agent = [{ verb: 'agent', llm: { vendor: 'openai' }, actionHook: '/x' }]
  const problem = (verbs: unknown, version: string) => listProblem(verbs, known, version)?.message

  it('has its verbs and members', () => {
    expect(problem(agent, '0.9.8')).toBe('invalid instruction: agent')
    expect(problem(agent, '10.0.9')).toBe('invalid instruction: agent')
    expect(problem(agent, '10.1.0')).toBeUndefined()
    expect(problem([{ verb: 'room', name: 'r', stream: {} }], '10.0.0')).toBeUndefined()
    expect(problem([{ verb: 'room' }], '10.0.0')).toBe('room: missing value for name')
    expect(problem([{ verb: 'room', name: 'r' }], '0.9.8')).toBe('invalid instruction: room')
    expect(problem([{ verb: 'conference', name: 'c', stream: {} }], '0.9.8')).toContain('unknown')
    expect(problem([{ verb: 'conference', name: 'c', sing: {} }], '11.1.0')).toContain('unknown')
    expect(problem([{ verb: 'qwen_s2s', llmOptions: {} }], '10.0.0')).toBeUndefined()
    expect(problem([{ verb: 'transfer', mode: 'blind' }], '10.3.0')).toContain('missing value')
    // the demands of later versions on a model are unknown
    expect(problem([{ verb: 'openai_s2s', llmOptions: {} }], '10.1.0')).toBeUndefined()
    expect(problem([{ verb: 'openai_s2s', llmOptions: {} }], '0.9.8')).toContain('apiKey')
  })

  it('says which one knows a verb', () => {
    expect(newerSentence('agent', '0.9.8')).toBe(
      'The platform supports agent from version 10.1.0. The rules of version 0.9.8 apply here.',
    )
    expect(newerSentence('room', '0.9.8')).toContain('newer than version 0.9.8')
    expect(newerSentence('agent', '10.1.0')).toBeUndefined()
    expect(newerSentence('say', '0.9.8')).toBeUndefined()
  })

  it('is named where later ones know more', () => {
    const explain = (verbs: unknown, version: string) =>
      explained(verbs, listProblem(verbs, known, version)!, known, version)
    expect(explain([{ agent: {} }], '0.9.8')).toContain('from version 10.1.0.')
    const dial = { target: [{ type: 'phone', number: '1' }] }
    expect(explain([{ verb: 'dial', ...dial, codecs: [] }], '0.9.8')).toBe(
      'dial: unknown property codecs. Later versions of the platform than 0.9.8 know it.',
    )
    for (const [verb, message] of [
      [{ verb: 'sing' }, 'invalid instruction: sing'],
      [{ verb: 'play' }, 'play: missing value for url'],
      [{ verb: 'openai_s2s', llmOptions: {} }, 'The model of openai needs auth.apiKey'],
    ])
      expect(explain([verb], '0.9.8')).toBe(message)
  })

  it('is compared by its numbers', () => {
    expect(isAtLeast('10.1.0', '9.9.9')).toBe(true)
    expect(isAtLeast('0.9.8', '0.9.8')).toBe(true)
    expect(isAtLeast('0.9.8', '0.10.0')).toBe(false)
  })
})
