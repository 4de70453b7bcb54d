/** A secret in a file: stays as stored, unless the environment has this variable. */
export class Kept {
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
export function literal(text: string) {
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
export function filled(text: string, values: Values, missing: (name: string) => void): unknown {
  const whole = WHOLE.exec(text)?.[1]
  if (whole !== undefined && Object.hasOwn(values, whole)) return values[whole]
  return text.replace(PART, (_, name: string | undefined) => {
    if (name === undefined) return '${'
    if (!Object.hasOwn(values, name)) missing(name)
    return String(values[name])
  })
}

/** The variables that values name, and those of the environment, each with whether it is optional. */
export type Named = { variables: Set<string>; environment: Map<string, boolean> }

export function namedIn(
  value: unknown,
  named: Named = { variables: new Set(), environment: new Map() },
) {
  if (typeof value === 'string') {
    for (const [, name] of value.matchAll(PART)) if (name !== undefined) named.variables.add(name)
    const variable = variableIn(value)
    if (variable) {
      const isOptional = named.environment.get(variable.name) ?? true
      named.environment.set(variable.name, isOptional && variable.isOptional)
    }
  } else if (typeof value === 'object' && value !== null)
    for (const of of Object.values(value)) namedIn(of, named)
  return named
}
