import type { Command } from '../../client/src/commands.ts'

/** A parameter of an endpoint, as a flag. */
export type Flag = {
  /** Name of the parameter in the API. */
  name: string
  in: 'path' | 'query' | 'body'
  /** `flag`: true or false. `json`: an object or a list. */
  type: 'text' | 'number' | 'flag' | 'json'
  choices?: string[]
  required?: true
}

/** An endpoint as a command. */
export type Row = Command & {
  summary: string
  /** Parameters of its path that it is about. */
  args: string[]
  flags: Flag[]
  /** Takes `If-Match`. */
  versioned?: true
}
