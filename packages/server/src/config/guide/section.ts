import type { Env } from '../environment.ts'

/**
 * Section of docs/guides/environment.md about some variables. The server never loads it; it does not repeat what
 * follows from `Env`.
 */
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
  /** Effect of leaving it unset, where the shape has no default that says so. */
  unset?: string
  /** Marks values that nobody may be shown. */
  isSecret?: true
}
