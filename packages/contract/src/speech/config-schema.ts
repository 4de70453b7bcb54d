import { z } from 'zod'
import { FlagIn } from '../wire/common.ts'
import { SERVICE_KEY_INVALID } from '../wire/service-key.ts'
import { t } from '../wire/text.ts'
import { type Field, isSecret, isSet, jsonObject } from './field.ts'
import {
  allFields,
  type Choice,
  type Config,
  fieldsIn,
  isActive,
  type Uses,
  type Vendor,
} from './vendor.ts'

/** Longer secrets would not fit their column, whatever the vendor. */
const MAX = 6_000

/** The schema of a value. Being required is checked in the same way for all kinds. */
function rule(f: Field, text: z.ZodString): z.ZodType<string> {
  switch (f.kind) {
    case 'text':
      return f.pattern
        ? text.regex(
            f.pattern,
            f.placeholder
              ? t('{label} must look like {example}', { label: f.label, example: f.placeholder })
              : t('{label} must look like an address', { label: f.label }),
          )
        : text
    case 'select':
      return text.refine((v) => f.options.some((o) => o.value === v), f.refusal)
    case 'json':
      return text.refine(
        (v) => jsonObject(v),
        t('{label} must be a JSON object', { label: f.label }),
      )
    case 'key_file':
      return text.refine((v) => {
        const key = jsonObject(v)
        return key && f.needs.every((member) => typeof key[member] === 'string' && key[member])
      }, SERVICE_KEY_INVALID)
    default:
      return text
  }
}

/** Files and options may also be sent as objects, as platform clients do. */
const asText = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value

/** The schema of a field, for forms and the server. */
export function fieldSchema(f: Field): z.ZodType {
  if (f.kind === 'toggle') return FlagIn.transform((on) => on === 1).optional()
  const missing = t('{label} is required', { label: f.label })
  const text = z
    .string({
      error: (i) => (isSet(i.input) ? t('{label} must be text', { label: f.label }) : missing),
    })
    .trim()
    .max(MAX)
  const filled = f.optional ? text : text.min(1, { error: missing, abort: true })
  const checked = f.optional
    ? z.union([z.literal('').transform(() => undefined), rule(f, filled)]).optional()
    : rule(f, filled)
  return f.kind === 'json' || f.kind === 'key_file' ? z.preprocess(asText, checked) : checked
}

/**
 * The schema of a mode: visible fields are required, fields of a disabled use are allowed.
 * `kept` names stored secrets, which may be empty and then stay unchanged. `asClient` requires
 * only what the platform's own API does.
 */
export function configSchema(
  v: Vendor,
  choice: Choice,
  kept: readonly string[] = [],
  asClient = false,
) {
  const mayMiss = (key: string, f: Field) =>
    !isActive(f, choice) || (isSecret(f) && kept.includes(key)) || (asClient && f.formOnly)
  const shape = Object.entries(fieldsIn(v, choice.mode)).map(([key, f]) => [
    key,
    fieldSchema(mayMiss(key, f) ? { ...f, optional: true } : f),
  ])
  return z.strictObject(Object.fromEntries(shape)).superRefine((config, ctx) => {
    const wrong = v.rule?.(config, choice)
    if (wrong) ctx.addIssue({ code: 'custom', path: [wrong.field], message: wrong.message })
  })
}

/** How badly a config fits a mode: counts fields and options that belong to other modes. */
function mismatches(v: Vendor, mode: string, config: Config): number {
  const here = fieldsIn(v, mode)
  const chosen = (f: Field | undefined, value: unknown) =>
    f?.kind === 'select' && f.options.some((o) => o.value === value)
  const strange = Object.entries(allFields(v)).filter(([key, { kind }]) => {
    const value = config[key]
    if (!isSet(value) || kind === 'toggle') return false
    const f = here[key]
    if (!f) return true
    if (f.kind === 'select') return !chosen(f, value)
    return Object.keys(v.modes ?? {}).some((other) => chosen(fieldsIn(v, other)[key], value))
  })
  return strange.length
}

/**
 * The mode of a config. Rows do not store it, so this is the best-fitting mode, and of several
 * the first valid one. If fields of two modes are mixed, the later mode wins:
 * the platform's form keeps the region when a user switches to a container.
 */
export function modeOf(v: Vendor, uses: Uses, config: Config): string | undefined {
  if (!v.modes) return undefined
  const marks = Object.keys(v.modes).map((mode) => ({ mode, n: mismatches(v, mode, config) }))
  const least = Math.min(...marks.map(({ n }) => n))
  const near = marks.filter(({ n }) => n === least).map(({ mode }) => mode)
  if (least > 0) near.reverse()
  const own = (mode: string) =>
    Object.fromEntries(Object.entries(config).filter(([key]) => key in fieldsIn(v, mode)))
  const takes = (mode: string) =>
    configSchema(v, { ...uses, mode }, [], true).safeParse(own(mode)).success
  return near.find(takes) ?? near[0]
}
