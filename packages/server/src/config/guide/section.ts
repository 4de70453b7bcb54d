import type { Env } from '../environment.ts'

/** What docs/guides/environment.md says about variables. The server never loads this; what it can tell from `Env` is not repeated. */
export type Section = {
  title: string
  /** Markdown, above the table. */
  intro?: string
  variables: { [Name in keyof Env]?: string | Entry }
}

export type Entry = {
  about: string
  /** The values it takes, where the shape does not tell. */
  values?: string
  /** What happens when it is not set, where the shape has no default that says so. */
  unset?: string
  /** Its value must be shown to nobody. */
  isSecret?: true
}
