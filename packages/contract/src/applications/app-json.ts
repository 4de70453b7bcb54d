import { type Vendor, vendors } from '../speech/index.ts'
import { isRecord, membersOf } from '../wire/records.ts'
import { t } from '../wire/text.ts'
import { isNewer, knowsVerb, NEWER_MEMBERS, NEWER_VERBS, newerVerb } from './platform-version.ts'

export const NOT_JSON = t('Enter a JSON array of verbs')

/** The platform's own specification of its verbs and the objects in them. */
export type VerbSpecs = Record<
  string,
  {
    properties: Record<string, PropertySpec>
    required?: readonly string[]
    /** Any member is allowed. */
    isOpen?: boolean
  }
>
/** `string`, `object|string`, `#target` for another entry, `['#target']` for a list of them. */
type PropertySpec = string | readonly string[] | { enum?: readonly unknown[] }

export type VerbProblem = { path: (string | number)[]; message: string }

const isList = (spec: PropertySpec): spec is readonly string[] => Array.isArray(spec)
const own = <T>(of: Record<string, T>, key: string) =>
  Object.hasOwn(of, key) ? of[key] : undefined

/** Aliases of verbs. */
const ALIASES: Record<string, [verb: string, vendor?: string]> = {
  stream: ['listen'],
  s2s: ['llm'],
  ...Object.fromEntries(
    Object.values<Vendor>(vendors)
      .filter((v) => v.s2s)
      .map(({ id }) => [`${id}_s2s`, ['llm', id]]),
  ),
  voiceagent_s2s: ['llm', 'voiceagent'],
  ultravox_s2s: ['llm', 'ultravox'],
}

/** The rules of a version of the platform, made of those of `PLATFORM_VERSION`. */
export function specsOf(specs: VerbSpecs, version: string): VerbSpecs {
  if (!isNewer(version)) return specs
  const all: VerbSpecs = { ...specs }
  for (const [name, members] of Object.entries(NEWER_MEMBERS)) {
    const spec = specs[name]
    if (!spec) continue
    const added = Object.fromEntries(members.map((member) => [member, 'any']))
    all[name] = { ...spec, properties: { ...spec.properties, ...added } }
  }
  for (const [name, { is, required = [] }] of Object.entries(NEWER_VERBS))
    if (knowsVerb(name, version))
      all[name] = { properties: is ? all[is[0]]!.properties : {}, required, isOpen: !is }
  return all
}

/**
 * The first reason why the platform would refuse to run these verbs, and where it is. Both `{verb: 'say',
 * text}` and `{say: {text}}` are verbs to it.
 */
export function verbProblem(verbs: unknown, specs: VerbSpecs): VerbProblem | undefined {
  if (!Array.isArray(verbs))
    return { path: [], message: t('malformed jambonz payload: must be array') }
  for (const [i, verb] of verbs.entries()) {
    const problem = problemOf(verb, i, specs)
    if (problem) return problem
  }
}

/** A valid verb's name, with aliases resolved, and its members. */
export function readVerb(verb: Record<string, unknown>) {
  const { verb: given, ...flat } = verb
  const name = given === undefined ? Object.keys(verb)[0]! : String(given)
  const members = given === undefined ? membersOf(verb[name]) : flat
  const [resolved, vendor] = own(ALIASES, name) ?? newerVerb(name)?.is ?? [name]
  return { name: resolved, members: vendor ? { vendor, ...members } : members }
}

function problemOf(verb: unknown, i: number, specs: VerbSpecs): VerbProblem | undefined {
  const path = [i]
  if (!isRecord(verb))
    return { path, message: t('malformed jambonz payload: must be array of objects') }
  if ('verb' in verb) {
    const { verb: name, ...data } = verb
    return named(String(name), data, path, [...path, 'verb'], specs)
  }
  const [name, ...others] = Object.keys(verb)
  if (name === undefined || others.length > 0)
    return { path, message: t('malformed jambonz payload: missing verb property') }
  return named(name, verb[name], [...path, name], [...path, name], specs)
}

function named(
  name: string,
  data: unknown,
  path: (string | number)[],
  namePath: (string | number)[],
  specs: VerbSpecs,
) {
  const [verb, vendor] = own(ALIASES, name) ?? [name]
  if (!own(specs, verb))
    return { path: namePath, message: t('invalid instruction: {name}', { name }) }
  return entryProblem(verb, isRecord(data) && vendor ? { vendor, ...data } : data, path, specs)
}

function entryProblem(
  name: string,
  data: unknown,
  path: (string | number)[],
  specs: VerbSpecs,
): VerbProblem | undefined {
  const spec = own(specs, name)
  // listed by the platform, but specified nowhere
  if (!spec) return
  if (!isRecord(data)) return { path, message: t('{name}: must be an object', { name }) }
  for (const [key, value] of Object.entries(data)) {
    // the platform accepts anything in there
    if (key === '_') continue
    const property = own(spec.properties, key)
    const at = [...path, key]
    if (!property && spec.isOpen) continue
    if (!property) return { path: at, message: t('{name}: unknown property {key}', { name, key }) }
    const problem = valueProblem(
      t('{name}: property {key}', { name, key }),
      property,
      value,
      at,
      specs,
    )
    if (problem) return problem
  }
  const missing = (spec.required ?? []).filter((key) => !Object.hasOwn(data, key))
  if (missing.length > 0)
    return { path, message: t('{name}: missing value for {missing}', { name, missing }) }
}

const is = (type: string, value: unknown) =>
  type === 'any' ||
  (type === 'array'
    ? Array.isArray(value)
    : type === 'object'
      ? typeof value === 'object'
      : typeof value === type)

function valueProblem(
  what: string,
  spec: PropertySpec,
  value: unknown,
  path: (string | number)[],
  specs: VerbSpecs,
): VerbProblem | undefined {
  const invalid = { path, message: t('{what} has invalid data type', { what }) }
  if (typeof spec === 'string') {
    const types = spec.split('|').map((type) => type.trim())
    if (types.some((type) => is(type, value))) return
    const entry = types.find((type) => type.startsWith('#'))
    return entry ? entryProblem(entry.slice(1), value, path, specs) : invalid
  }
  if (!isList(spec)) {
    const offered = [value].flat().every((v) => spec.enum?.includes(v))
    return offered
      ? undefined
      : { path, message: t('{what} must be one of {enum}', { what, enum: spec.enum }) }
  }
  const [entry] = spec
  if (!Array.isArray(value)) return invalid
  for (const [i, item] of value.entries()) {
    const problem = entryProblem(entry!.slice(1), item, [...path, i], specs)
    if (problem) return problem
  }
}
