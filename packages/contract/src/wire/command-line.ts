/** A group, an endpoint or a parameter as a word of the command line: `phone-numbers`, `phone-number-sid`. */
export const kebab = (name: string) =>
  name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`).replaceAll('_', '-')

/**
 * The parameters of a path on the command line. Owners are flags, which a log-in fills in; what a command is about is an
 * argument.
 */
export function commandParameters(path: string) {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const isOwner = (name: string) =>
    /^(?:account|service_provider)_sid$/.test(name) && !path.endsWith(`:${name}`)
  return { args: names.filter((name) => !isOwner(name)), flags: names.filter(isOwner) }
}
