import {
  allFields,
  configSchema,
  fieldSchema,
  fieldsIn,
  type Issue,
  isSecret,
  isSet,
  modeOf,
  plainError,
  UNREADABLE_CREDENTIAL,
  type Uses,
  type Vendor,
  withSecrets,
} from '@switchroom/contract'
import { Failure } from '../../http/failure.ts'
import type { Config } from '../stored.ts'

type Body = Record<string, unknown> & { mode?: string | null | undefined }
type Sent = Record<string, unknown>

const only = (values: Sent, keep: (key: string, value: unknown) => boolean) =>
  Object.fromEntries(Object.entries(values).filter(([key, value]) => keep(key, value)))

/** The vendor's members of a body, null where one is to be removed. Files and options as text. */
export function sentIn(vendor: Vendor, body: Body): Sent {
  const fields = allFields(vendor)
  return Object.fromEntries(
    Object.entries(body).flatMap(([key, value]) => {
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined
      if (!field || value === undefined) return []
      // a form leaves a secret empty that it does not know
      if (isSecret(field) && value === '') return []
      const file = field.kind === 'json' || field.kind === 'key_file'
      const text = file && typeof value === 'object' && value !== null
      return [[key, text ? JSON.stringify(value) : value]]
    }),
  )
}

/** The mode a body names. Throws 422 for one that the vendor does not have. */
function namedMode(vendor: Vendor, { mode }: Body): string | undefined {
  if (!mode) return undefined
  if (vendor.modes && Object.hasOwn(vendor.modes, mode)) return mode
  const issues = [{ path: ['mode'], message: `${vendor.name} has no mode ${mode}` }]
  throw new Failure('conflict', issues[0]!.message, { issues })
}

/** What is wrong with a config, by the rules that the platform's clients are held to. */
function wrongIn(vendor: Vendor, uses: Uses, mode: string | undefined, config: Sent): Issue[] {
  const fields = fieldsIn(vendor, mode)
  const { error } = configSchema(vendor, { ...uses, mode: mode ?? null }, [], true).safeParse(
    only(config, (key) => key in fields),
    { error: plainError },
  )
  return (error?.issues ?? []).map(({ path, message }) => ({ path: path as string[], message }))
}

/** Tidied member by member; what no rule takes stays as it was stored. */
function tidied(vendor: Vendor, mode: string | undefined, config: Sent): Config {
  const fields = { ...allFields(vendor), ...fieldsIn(vendor, mode) }
  return Object.fromEntries(
    Object.entries(config).flatMap(([key, value]): [string, string | boolean][] => {
      const { data, success } = fieldSchema({ ...fields[key]!, optional: true }).safeParse(value)
      const kept = (success ? data : value) as string | boolean | undefined
      return isSet(kept) ? [[key, kept!]] : []
    }),
  )
}

/** The settings of a new credential. Throws 422 for what is missing or wrong. */
export function newConfig(vendor: Vendor, uses: Uses, body: Body): Config {
  const sent = only(withSecrets(vendor, sentIn(vendor, body), {}), (_, value) => isSet(value))
  const mode = namedMode(vendor, body) ?? modeOf(vendor, uses, sent)
  const fields = fieldsIn(vendor, mode)
  const presets = Object.entries(fields).flatMap(([key, f]) =>
    f.kind === 'select' && f.default ? [[key, f.default]] : [],
  )
  const config = { ...Object.fromEntries(presets), ...only(sent, (key) => key in fields) }
  const wrong = wrongIn(vendor, uses, mode, config)
  if (wrong.length > 0) throw refusal(vendor, config, wrong)
  return tidied(vendor, mode, config)
}

type Before = { uses: Uses; config: Config | undefined }

/**
 * The settings after a change; undefined when it does not touch them. What was stored wrong already, and is
 * not touched, does not stand in the way. Throws 422 for what is missing or wrong now.
 */
export function changedConfig(
  vendor: Vendor,
  { uses: before, config: stored }: Before,
  uses: Uses,
  body: Body,
): Config | undefined {
  if (!stored) return anew(vendor, uses, body)
  const sent = withSecrets(vendor, sentIn(vendor, body), stored)
  const was = modeOf(vendor, before, stored)
  const mode = namedMode(vendor, body) ?? modeAfter(vendor, uses, was, stored, sent)
  const fields = fieldsIn(vendor, mode)
  const config = only(
    {
      ...(mode === was ? stored : shared(vendor, was, mode, stored)),
      // of another mode's members only that they are gone
      ...only(sent, (key, value) => key in fields || !isSet(value)),
    },
    (_, value) => isSet(value),
  )
  const touched = (key: string) => key in sent && config[key] !== stored[key]
  const old = wrongIn(vendor, before, was, stored)
  const wrong = wrongIn(vendor, uses, mode, config).filter(
    ({ path, message }) =>
      touched(String(path[0])) ||
      !old.some((o) => o.path[0] === path[0] && o.message === message) ||
      mode !== was,
  )
  if (wrong.length > 0) throw refusal(vendor, config, wrong)
  const after = tidied(vendor, mode, config)
  return same(after, stored) ? undefined : after
}

const same = (a: Sent, b: Sent) =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => a[key] === b[key])

/** Of what was stored the members that mean the same in both modes. The others are cleared. */
function shared(vendor: Vendor, was: string | undefined, mode: string | undefined, stored: Config) {
  const [from, to] = [fieldsIn(vendor, was), fieldsIn(vendor, mode)]
  return only(stored, (key) => from[key] !== undefined && from[key].kind === to[key]?.kind)
}

/** A member that the present mode does not have tells of another one; what is gone may as well. */
function modeAfter(
  vendor: Vendor,
  uses: Uses,
  was: string | undefined,
  stored: Config,
  sent: Sent,
): string | undefined {
  const set = only(sent, (_, value) => isSet(value))
  const told = modeOf(vendor, uses, set)
  const fields = fieldsIn(vendor, was)
  const strange = Object.entries(set).some(([key, value]) => {
    const field = fields[key]
    if (!field) return allFields(vendor)[key]?.kind !== 'toggle'
    return field.kind === 'select' && stored[key] !== value && told !== was
      ? !field.options.some((o) => o.value === value)
      : false
  })
  return strange
    ? told
    : modeOf(
        vendor,
        uses,
        only({ ...stored, ...sent }, (_, v) => isSet(v)),
      )
}

/** What cannot be opened is replaced whole, or not at all. */
function anew(vendor: Vendor, uses: Uses, body: Body): Config {
  const some = Object.values(sentIn(vendor, body)).some(isSet)
  try {
    if (some) return newConfig(vendor, uses, body)
  } catch (e) {
    if (e instanceof Failure)
      throw new Failure('conflict', UNREADABLE_CREDENTIAL, { issues: e.issues, cause: e })
    throw e
  }
  throw new Failure('conflict', UNREADABLE_CREDENTIAL)
}

/** The sentence that clients of the platform know, or the issue's own. */
function sentence(vendor: Vendor, config: Record<string, unknown>, issue: Issue): string {
  const field = String(issue.path[0])
  const { id, named, refusal = { name: id } } = vendor
  if (isSet(config[field])) {
    const asked = allFields(vendor)[field]
    return asked?.kind === 'key_file' ? asked.refusals.sent : issue.message
  }
  // the rules of those that accounts name are ours
  if (named) return issue.message
  return typeof refusal === 'string'
    ? refusal
    : `invalid ${refusal.name} speech credential: ${field} is required`
}

/** Refuses settings: every input at fault is named, the first in the platform's words. */
const refusal = (vendor: Vendor, config: Record<string, unknown>, issues: Issue[]) =>
  new Failure('conflict', sentence(vendor, config, issues[0]!), { issues })
