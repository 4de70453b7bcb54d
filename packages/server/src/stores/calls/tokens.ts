/** An unsupported statement. The message is InfluxDB's. */
export class BadQuery extends Error {}

const TOKEN =
  /\s*(?:("(?:[^"\\]|\\.)*")|('(?:[^'\\]|\\.)*')|(\$\w+)|(-?\d+(?:\.\d+)?)(ns|u|ms|s|m|h|d|w)?\b|([A-Za-z_]\w*)|(<=|>=|!=|<>|=|<|>|\(|\)|,|\*|;))/y
export type Token = {
  kind: 'name' | 'string' | 'param' | 'number' | 'sign'
  text: string
  unit?: string
}

/** The tokens of a statement. Throws `BadQuery`. */
export function tokens(source: string): Token[] {
  const out: Token[] = []
  const body = source.trimEnd()
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < body.length) {
    const at = TOKEN.lastIndex
    const m = TOKEN.exec(body)
    if (!m) throw new BadQuery(`error parsing query: unexpected input at char ${at + 1}`)
    const [, quoted, string, param, number, unit, name, sign] = m
    const inner = (s: string) => s.slice(1, -1).replace(/\\(.)/g, '$1')
    if (quoted) out.push({ kind: 'name', text: inner(quoted) })
    else if (string) out.push({ kind: 'string', text: inner(string) })
    else if (param) out.push({ kind: 'param', text: param.slice(1) })
    else if (number) out.push({ kind: 'number', text: number, ...(unit && { unit }) })
    else if (name) out.push({ kind: 'name', text: name })
    else out.push({ kind: 'sign', text: sign! })
  }
  return out
}
