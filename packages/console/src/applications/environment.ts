import {
  type AppEnvSchema,
  type AppEnvVariable,
  type AppEnvVars,
  envVarsIssues,
  type Issue,
  t,
} from '@switchroom/contract'

const ownValue = <T>(of: Record<string, T>, name: string) =>
  Object.hasOwn(of, name) ? of[name] : undefined

/** The value shown for a variable: what was entered, else its default. */
export const displayValue = (entered: unknown, spec: AppEnvVariable) =>
  ['string', 'number', 'boolean'].includes(typeof entered) ? entered : spec.default

/** Converts a field's text to the type the application declares. Empty values are not sent. */
function valueToSend(entered: unknown, spec: AppEnvVariable | undefined) {
  if (!spec) return entered === '' ? undefined : entered
  // an unticked checkbox means false
  const unset = spec.type === 'boolean' && spec.required ? false : undefined
  const value = displayValue(entered, spec) ?? unset
  if (value === undefined || value === '') return undefined
  if (spec.type === 'string') return String(value)
  if (typeof value !== 'string') return value
  if (spec.type === 'boolean') return value === 'true'
  const number = Number(value)
  return Number.isNaN(number) ? value : number
}

/** Keeps variables that the schema does not declare. */
export function environmentToSend(entered: AppEnvVars, schema: AppEnvSchema = {}) {
  const names = new Set([...Object.keys(schema), ...Object.keys(entered)])
  const sent = [...names]
    .map((name) => [name, valueToSend(ownValue(entered, name), ownValue(schema, name))] as const)
    .filter(([, value]) => value !== undefined)
  return sent.length > 0
    ? // the request's schema rejects other types, and the form shows that at the field
      (Object.fromEntries(sent) as Record<string, string>)
    : null
}

export function environmentIssues(entered: AppEnvVars, schema: AppEnvSchema = {}): Issue[] {
  const sent = environmentToSend(entered, schema) ?? {}
  return envVarsIssues(schema, sent).map(({ path }) => {
    const name = String(path[1])
    const { type, enum: choices } = schema[name]!
    const message =
      ownValue(sent, name) === undefined
        ? t('Required')
        : choices
          ? t('Choose a value from the list')
          : type === 'number'
            ? t('Enter a number')
            : t('The application does not accept this value')
    return { path, message }
  })
}

/** Set, but not declared by the application. */
export const unknownNames = (entered: AppEnvVars, schema: AppEnvSchema = {}) =>
  Object.keys(entered).filter(
    (name) => !Object.hasOwn(schema, name) && entered[name] !== '' && entered[name] !== undefined,
  )
