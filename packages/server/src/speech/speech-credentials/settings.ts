import {
  allFields,
  configSchema,
  fieldSchema,
  fieldsIn,
  type Issue,
  isSecret,
  isSet,
  issuesFrom,
  modeOf,
  plainError,
  t,
  UNREADABLE_CREDENTIAL,
  type Uses,
  type Vendor,
  withSecrets,
} from '@switchroom/contract'
import { Failure } from '../../http/failure.ts'
import type { Config } from '../stored.ts'

type Body = Record<string, unknown> & { mode?: string | null | undefined }
type Fields = Record<string, unknown>

const pickFields = (values: Fields, keep: (key: string, value: unknown) => boolean) =>
  Object.fromEntries(Object.entries(values).filter(([key, value]) => keep(key, value)))

/** The vendor's fields in a request body; null removes one. Files and options become text. */
export function sentFields(vendor: Vendor, body: Body): Fields {
  const fields = allFields(vendor)
  return Object.fromEntries(
    Object.entries(body).flatMap(([key, value]) => {
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined
      if (!field || value === undefined) return []
      // forms send secrets they do not know as empty
      if (isSecret(field) && value === '') return []
      const file = field.kind === 'json' || field.kind === 'key_file'
      const text = file && typeof value === 'object' && value !== null
      return [[key, text ? JSON.stringify(value) : value]]
    }),
  )
}

/** The mode in a request body. Throws 422 for unknown modes. */
function namedMode(vendor: Vendor, { mode }: Body): string | undefined {
  if (!mode) return undefined
  if (vendor.modes && Object.hasOwn(vendor.modes, mode)) return mode
  const message = t('{vendor} has no mode {mode}', { vendor: vendor.name, mode })
  throw new Failure('conflict', message, { issues: [{ path: ['mode'], message }] })
}

/** The issues of a config, by the rules for platform clients. */
function issuesOf(vendor: Vendor, uses: Uses, mode: string | undefined, config: Fields): Issue[] {
  const fields = fieldsIn(vendor, mode)
  const { error } = configSchema(vendor, { ...uses, mode: mode ?? null }, [], true).safeParse(
    pickFields(config, (key) => key in fields),
    { error: plainError },
  )
  return issuesFrom(error)
}

/** Normalizes each field; invalid stored values stay unchanged. */
function normalized(vendor: Vendor, mode: string | undefined, config: Fields): Config {
  const fields = { ...allFields(vendor), ...fieldsIn(vendor, mode) }
  return Object.fromEntries(
    Object.entries(config).flatMap(([key, value]): [string, string | boolean][] => {
      const { data, success } = fieldSchema({ ...fields[key]!, optional: true }).safeParse(value)
      // settings are text or switches; anything else that another server has stored is kept
      const cleaned = (success ? data : value) as string | boolean | undefined
      return isSet(cleaned) ? [[key, cleaned!]] : []
    }),
  )
}

/** The settings of a new credential. Throws 422 for missing or invalid fields. */
export function newConfig(vendor: Vendor, uses: Uses, body: Body): Config {
  const sent = pickFields(withSecrets(vendor, sentFields(vendor, body), {}), (_, value) =>
    isSet(value),
  )
  const mode = namedMode(vendor, body) ?? modeOf(vendor, uses, sent)
  const fields = fieldsIn(vendor, mode)
  const presets = Object.entries(fields).flatMap(([key, f]) =>
    f.kind === 'select' && f.default ? [[key, f.default]] : [],
  )
  const config = { ...Object.fromEntries(presets), ...pickFields(sent, (key) => key in fields) }
  const issues = issuesOf(vendor, uses, mode, config)
  if (issues.length > 0) throw refusal(vendor, config, issues)
  return normalized(vendor, mode, config)
}

type Before = { uses: Uses; config: Config | undefined }

/**
 * The settings after an update; undefined if nothing changes. Stored values that were already invalid
 * are tolerated unless they change. Throws 422 for fields that become missing or invalid.
 */
export function changedConfig(
  vendor: Vendor,
  { uses: oldUses, config: stored }: Before,
  uses: Uses,
  body: Body,
): Config | undefined {
  if (!stored) return replaced(vendor, uses, body)
  const sent = withSecrets(vendor, sentFields(vendor, body), stored)
  const oldMode = modeOf(vendor, oldUses, stored)
  const mode = namedMode(vendor, body) ?? modeAfter(vendor, uses, oldMode, stored, sent)
  const fields = fieldsIn(vendor, mode)
  const config = pickFields(
    {
      ...(mode === oldMode ? stored : sharedSettings(vendor, oldMode, mode, stored)),
      // fields of other modes may only be cleared
      ...pickFields(sent, (key, value) => key in fields || !isSet(value)),
    },
    (_, value) => isSet(value),
  )
  const isChanged = (key: string) => key in sent && config[key] !== stored[key]
  const oldIssues = issuesOf(vendor, oldUses, oldMode, stored)
  const issues = issuesOf(vendor, uses, mode, config).filter(
    ({ path, message }) =>
      isChanged(String(path[0])) ||
      !oldIssues.some((o) => o.path[0] === path[0] && o.message === message) ||
      mode !== oldMode,
  )
  if (issues.length > 0) throw refusal(vendor, config, issues)
  const after = normalized(vendor, mode, config)
  return isSame(after, stored) ? undefined : after
}

const isSame = (a: Fields, b: Fields) =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => a[key] === b[key])

/** The stored fields that both modes have in common. The others are cleared. */
function sharedSettings(
  vendor: Vendor,
  oldMode: string | undefined,
  mode: string | undefined,
  stored: Config,
) {
  const [from, to] = [fieldsIn(vendor, oldMode), fieldsIn(vendor, mode)]
  return pickFields(stored, (key) => from[key] !== undefined && from[key].kind === to[key]?.kind)
}

/**
 * The mode after an update without `mode`. Setting a field or option that only another mode has switches to that mode;
 * clearing fields may too.
 */
function modeAfter(
  vendor: Vendor,
  uses: Uses,
  oldMode: string | undefined,
  stored: Config,
  sent: Fields,
): string | undefined {
  const set = pickFields(sent, (_, value) => isSet(value))
  const implied = modeOf(vendor, uses, set)
  const fields = fieldsIn(vendor, oldMode)
  const isForeign = ([key, value]: [string, unknown]) => {
    const field = fields[key]
    if (!field) return allFields(vendor)[key]?.kind !== 'toggle'
    if (field.kind !== 'select' || stored[key] === value || implied === oldMode) return false
    return !field.options.some((o) => o.value === value)
  }
  if (Object.entries(set).some(isForeign)) return implied
  const merged = pickFields({ ...stored, ...sent }, (_, value) => isSet(value))
  return modeOf(vendor, uses, merged)
}

/** A credential that cannot be decrypted has to be replaced completely. */
function replaced(vendor: Vendor, uses: Uses, body: Body): Config {
  const hasFields = Object.values(sentFields(vendor, body)).some(isSet)
  try {
    if (hasFields) return newConfig(vendor, uses, body)
  } catch (e) {
    if (e instanceof Failure)
      throw new Failure('conflict', UNREADABLE_CREDENTIAL, { issues: e.issues, cause: e })
    throw e
  }
  throw new Failure('conflict', UNREADABLE_CREDENTIAL)
}

/** The platform's message for an issue, or the issue's own. */
function messageFor(vendor: Vendor, config: Record<string, unknown>, issue: Issue): string {
  const field = String(issue.path[0])
  const { id, named, refusal: vendorRefusal = { name: id } } = vendor
  if (isSet(config[field])) {
    const descriptor = allFields(vendor)[field]
    return descriptor?.kind === 'key_file' ? descriptor.refusals.sent : issue.message
  }
  // the rules of custom vendors are our own
  if (named) return issue.message
  return typeof vendorRefusal === 'string'
    ? vendorRefusal
    : t('invalid {vendor} speech credential: {field} is required', {
        vendor: vendorRefusal.name,
        field,
      })
}

/** The error for invalid settings: lists all issues, with the platform's message for the first. */
const refusal = (vendor: Vendor, config: Record<string, unknown>, issues: Issue[]) =>
  new Failure('conflict', messageFor(vendor, config, issues[0]!), { issues })
