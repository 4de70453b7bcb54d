/** A secret in a file: stays as stored, unless the environment has this variable. */
export class StoredSecret {
  name: string
  constructor(name: string) {
    this.name = name
  }
  get text() {
    return `env:${this.name}?`
  }
}

/** Reference `env:NAME`, which must be set, or `env:NAME?`, without which the stored value stays. */
const ENV = /^env:([A-Za-z_]\w*)(\?)?$/

export function variableIn(text: string) {
  const [, name, isOptional] = ENV.exec(text) ?? []
  return name === undefined ? undefined : { name, isOptional: isOptional !== undefined }
}

const LITERAL = 'text:'

/** A text as written in files, escaped where it could be read as something else. */
export function escapeLiteral(text: string) {
  const escaped = text.replaceAll('${', () => '$${')
  return text.startsWith('env:') || text.startsWith(LITERAL) ? LITERAL + escaped : escaped
}

/** A text without the prefix that marks it as literal. */
export const withoutPrefix = (text: string) =>
  text.startsWith(LITERAL) ? text.slice(LITERAL.length) : text

export type Values = Record<string, unknown>

const WHOLE = /^\$\{([\w.-]+)\}$/
const PART = /\$\$\{|\$\{([\w.-]+)\}/g

/** Replaces each `${name}` in a text by its value, which may be a number or boolean if it is all of the text. */
export function substitute(
  text: string,
  values: Values,
  onMissing: (name: string) => void,
): unknown {
  const whole = WHOLE.exec(text)?.[1]
  if (whole !== undefined && Object.hasOwn(values, whole)) return values[whole]
  return text.replace(PART, (_, name: string | undefined) => {
    if (name === undefined) return '${'
    if (!Object.hasOwn(values, name)) onMissing(name)
    return String(values[name])
  })
}

/** Names of variables, and of environment variables, each with whether it is optional. */
export type Variables = { variables: Set<string>; environment: Map<string, boolean> }

/** Collects the variables that a value refers to. */
export function collectVariables(
  value: unknown,
  found: Variables = { variables: new Set(), environment: new Map() },
): Variables {
  if (typeof value === 'string') {
    for (const [, name] of value.matchAll(PART)) if (name !== undefined) found.variables.add(name)
    const variable = variableIn(value)
    if (variable) {
      const isOptional = found.environment.get(variable.name) ?? true
      found.environment.set(variable.name, isOptional && variable.isOptional)
    }
  } else if (typeof value === 'object' && value !== null)
    for (const item of Object.values(value)) collectVariables(item, found)
  return found
}
