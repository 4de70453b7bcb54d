import { MASK } from './mask.ts'
import { isSecretName } from './secret-names.ts'

/** A request to the API, below its base URL. */
export type ShownRequest = {
  method: string
  url: string
  body: unknown
  /** Sent in place of a body: this file, as it is or in a form. */
  upload?: { file: string; as: 'csv' | 'form' }
}

/** A secret's place, by the name of the environment variable that the reader sets. */
class Variable {
  name: string
  constructor(name: string) {
    this.name = name
  }
}

const API_KEY = 'SWITCHROOM_API_KEY'

const variableName = (path: readonly string[]) =>
  path
    .join('_')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .toUpperCase()

/** Texts of which a part or all may be secret: JSON of calls with credentials in it, and addresses that are a key. */
const isHiddenWhole = (name: string) => name === 'app_json' || name === 'address'

/** Excluded from `isSecretName`: it is an object, and the names of its members say which of them are secret. */
const BUCKET = 'bucket_credential'

/** A body whose secrets are variables. A mask keeps what is stored, and is none. */
function withVariables(body: unknown) {
  const taken = new Set<string>([API_KEY])
  const variable = (path: readonly string[]) => {
    const name = variableName(path) || 'SECRET'
    let free = /^\d/.test(name) ? `_${name}` : name
    for (let n = 2; taken.has(free); n++) free = `${name}_${n}`
    taken.add(free)
    return new Variable(free)
  }
  const walk = (value: unknown, path: readonly string[], isSecret: boolean): unknown => {
    if (Array.isArray(value))
      return value.map((one, i) => walk(one, [...path, String(i + 1)], isSecret))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [
          name,
          walk(
            member,
            // outer names only where a name alone says too little
            isSecret || path.length > 0 ? [...path, name] : [name],
            // what kind of secret it is, is none
            name !== 'type' &&
              (isSecret || isHiddenWhole(name) || (isSecretName(name) && name !== BUCKET)),
          ),
        ]),
      )
    if (typeof value === 'number' && isSecret) return variable(path)
    if (typeof value !== 'string' || value === '' || value === MASK) return value
    if (isSecret) return variable(path)
    return hasCredentials(value) ? variable(path) : value
  }
  return walk(body, [], false)
}

/** True if an address has a username and password in it. */
const hasCredentials = (text: string) => /\b[a-z][a-z0-9+.-]*:\/\/[^/\s]*:[^/\s]*@/i.test(text)

type Print = { text: (text: string) => string; variable: (name: string) => string }

/** Prints a value like `JSON.stringify(value, null, 2)`, with variables in the syntax of a language. */
function print(value: unknown, as: Print, indent = ''): string {
  if (value instanceof Variable) return as.variable(value.name)
  const inner = `${indent}  `
  const block = (open: string, close: string, parts: string[]) =>
    parts.length === 0
      ? as.text(open + close)
      : `${as.text(`${open}\n`)}${parts.join(as.text(',\n'))}${as.text(`\n${indent}${close}`)}`
  if (Array.isArray(value))
    return block(
      '[',
      ']',
      value.map((one) => as.text(inner) + print(one, as, inner)),
    )
  if (typeof value === 'object' && value !== null)
    return block(
      '{',
      '}',
      Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(
          ([name, member]) =>
            as.text(`${inner}${JSON.stringify(name)}: `) + print(member, as, inner),
        ),
    )
  return as.text(JSON.stringify(value) ?? 'null')
}

/** A word of a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const JSON_TEXT = `# a secret as JSON text
json() {
  printf '%s' "$1" | sed 's/[\\\\"]/\\\\&/g' | awk '
    BEGIN { printf "\\"" }
    { gsub(/\\t/, "\\\\t"); gsub(/\\r/, "\\\\r"); printf "%s%s", (NR > 1 ? "\\\\n" : ""), $0 }
    END { printf "\\"" }'
}

`

/** A body within single quotes, and what has to come before it if it has secrets. */
function jsonInShell(body: unknown): [json: string, prelude: string] {
  let isSecret = false
  const json = print(withVariables(body), {
    text: (text) => text.replaceAll("'", `'\\''`),
    variable: (name) => {
      isSecret = true
      return `'"$(json "$${name}")"'`
    },
  })
  return [json, isSecret ? JSON_TEXT : '']
}

/** A command for a POSIX shell. */
export function curlOf(base: string, { method, url, body, upload }: ShownRequest): string {
  const lines = [
    // brackets of an address are no pattern
    `curl --globoff${method === 'GET' ? '' : ` --request ${method}`} ${quoted(base + url)}`,
    `  --header "Authorization: Bearer $${API_KEY}"`,
  ]
  const [json, prelude] = jsonInShell(body)
  if (body !== undefined)
    lines.push(`  --header 'Content-Type: application/json'`, `  --data-raw '${json}'`)
  if (upload?.as === 'csv')
    lines.push(`  --header 'Content-Type: text/csv'`, `  --data-binary @${upload.file}`)
  if (upload?.as === 'form') lines.push(`  --form file=@${upload.file}`)
  return prelude + lines.join(' \\\n')
}

/** A command of `switchroom`, of which these are the words, for a POSIX shell. Without a base: for who has logged in. */
export function commandOf(
  base: string | undefined,
  { body, upload }: Pick<ShownRequest, 'body' | 'upload'>,
  words: readonly string[],
): string {
  const [json, prelude] = jsonInShell(body)
  const all = upload ? [...words, upload.file] : words
  const lines = [
    `${base === undefined ? '' : `SWITCHROOM_URL=${quoted(base)} `}switchroom ${all.map(word).join(' ')}`,
  ]
  if (body !== undefined) lines.push(`  --data '${json}'`)
  return prelude + lines.join(' \\\n')
}

/** A word, in quotes only where it needs them. */
const word = (text: string) => (/^[\w./:=+-]+$/.test(text) ? text : quoted(text))

/** A module for Node.js. */
export function typescriptOf(base: string, { method, url, body }: ShownRequest): string {
  const lines = [
    `const response = await fetch(${JSON.stringify(base + url)}, {`,
    `  method: '${method}',`,
    '  headers: {',
    `    authorization: \`Bearer \${process.env.${API_KEY}}\`,`,
    ...(body === undefined ? [] : [`    'content-type': 'application/json',`]),
    '  },',
  ]
  if (body !== undefined) {
    const json = print(
      withVariables(body),
      { text: (text) => text, variable: (name) => `process.env.${name}` },
      '  ',
    )
    lines.push(`  body: JSON.stringify(${json}),`)
  }
  lines.push(
    '})',
    'const text = await response.text()',
    `if (!response.ok) throw new Error(\`\${response.status} \${text}\`)`,
    'const result: unknown = text && JSON.parse(text)',
    'console.log(result)',
  )
  return lines.join('\n')
}

/** How a module connects the client, in TypeScript. */
export const CLIENT_CONNECTED = `import { openAsBlob } from "node:fs"
import { connect } from "@switchroom/client"

const switchroom = connect({
  url: "https://console.example.com",
  apiKey: process.env.${API_KEY},
})`

/** A call of the client that a module has connected as `switchroom`, in TypeScript. */
export function clientCallOf(
  method: string,
  sent: { params?: object; query?: object; body?: unknown },
  upload?: ShownRequest['upload'],
): string {
  const as: Print = { text: (text) => text, variable: (name) => `process.env.${name}!` }
  const parts = [
    ...Object.entries({ params: sent.params, query: sent.query })
      .filter(([, part]) => part !== undefined)
      .map(([name, part]) => `  ${name}: ${print(part, as, '  ')},\n`),
    ...(sent.body === undefined ? [] : [`  body: ${print(withVariables(sent.body), as, '  ')},\n`]),
    ...(upload ? [`  body: await openAsBlob(${JSON.stringify(upload.file)}),\n`] : []),
  ]
  return `await switchroom.${method}(${parts.length > 0 ? `{\n${parts.join('')}}` : ''})`
}
