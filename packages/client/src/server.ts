import { membersOf } from '@switchroom/contract'
import { commands } from './commands.ts'

/** Comparison of this client's commands with those of a server. */
export type Support = {
  /** Commands of this client that the server lacks, such as `phoneNumbers.updateMany`. */
  lacks: string[]
  /** Commands of the server that this client lacks. */
  unknown: string[]
}

/** Compares this client with the server's own description, `/openapi.json`. */
export function supportIn(description: unknown): Support {
  const { paths } = membersOf(description)
  const served = new Map<string, string>()
  for (const [path, methods] of Object.entries(membersOf(paths)))
    for (const [method, operation] of Object.entries(membersOf(methods)))
      served.set(routeOf(method, path), String(membersOf(operation).operationId))
  const own = new Map<string, string>()
  for (const [group, members] of Object.entries(commands))
    for (const [name, { method, path }] of Object.entries(members))
      own.set(routeOf(method, path), `${group}.${name}`)
  return {
    lacks: [...own].filter(([route]) => !served.has(route)).map(([, name]) => name),
    unknown: [...served].filter(([route]) => !own.has(route)).map(([, name]) => name),
  }
}

/** Path with its parameters, whatever they are called. */
const routeOf = (method: string, path: string) =>
  `${method.toUpperCase()} ${path.replace(/:\w+|\{\w+\}/g, ':')}`
