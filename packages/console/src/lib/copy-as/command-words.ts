import light from 'virtual:endpoints'
import { commandParameters, kebab, type ShownRequest } from '@switchroom/contract'
import type { Endpoint } from '../endpoints'

const endpoints = light as Record<string, Record<string, Endpoint>>

/** A request as words of the command line, without its body. Undefined if no command sends it. */
export function commandWords({ method, url }: Pick<ShownRequest, 'method' | 'url'>) {
  const { pathname, searchParams } = new URL(url, 'http://x')
  for (const [group, members] of Object.entries(endpoints))
    for (const [name, e] of Object.entries(members)) {
      const found = e.method === method && paramsIn(e.path, pathname)
      if (!found) continue
      const { args, flags } = commandParameters(e.path)
      const flag = (key: string, value: string) => `--${kebab(key)}=${value}`
      return [
        ...[kebab(group), kebab(name)],
        ...args.map((arg) => found[arg]!),
        ...flags.map((owner) => flag(owner, found[owner]!)),
        ...[...searchParams].map(([key, value]) => flag(key, value)),
      ]
    }
  return undefined
}

/** The parameters of a path; undefined if it is another one. */
function paramsIn(path: string, pathname: string): Record<string, string> | undefined {
  const parts = path.split('/')
  const given = pathname.split('/')
  if (parts.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [i, part] of parts.entries())
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(given[i]!)
    else if (part !== given[i]) return undefined
  return params
}
