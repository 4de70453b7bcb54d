import { api, CLIENT_CONNECTED, type Endpoint, type Group } from '@switchroom/contract'
import { snippetsOf } from './examples.ts'
import type { Content, Document, Operation, Schema } from './openapi-document.ts'

/**
 * Renders the API reference as one page without scripts, so that it needs no exception in the content
 * security policy.
 */
export function docsHtml({ info, paths, tags }: Document): string {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const taggedWith = (tag: string) => all.filter((o) => o.operation.tags.includes(tag))
  const tableOfContents = tags.map(
    ({ name }) =>
      `<li><a href="#${escaped(name)}">${escaped(title(name))}</a> <span>${taggedWith(name).length}</span></li>`,
  )
  const sections = tags.map(
    ({ name }) =>
      `<section aria-labelledby="${escaped(name)}"><h2 id="${escaped(name)}">${escaped(title(name))}</h2>${taggedWith(name).map(article).join('')}</section>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Switchroom API</title>
<link rel="stylesheet" href="/docs.css">
</head>
<body>
<header><h1>Switchroom API</h1><p>Version ${escaped(info.version)}. Paths are below <code>/api/v1</code> and <code>/v1</code>; send <code>Authorization: Bearer</code> with a session token or an API key. For tools, there is an <a href="/openapi.json">OpenAPI document</a>.</p>
<p>Examples in TypeScript are calls of the client package <code>@switchroom/client</code>, connected so:</p><pre tabindex="0">${escaped(CLIENT_CONNECTED)}</pre>
<p>Those of the command line are for who has logged in by <code>switchroom login</code>. Whatever is secret is a variable of the environment.</p></header>
<nav aria-label="Contents"><ul>${tableOfContents.join('')}</ul></nav>
<main>${sections.join('')}</main>
</body>
</html>
`
}

function article({
  path,
  method,
  operation: o,
}: {
  path: string
  method: string
  operation: Operation
}) {
  const responses = Object.entries(o.responses)
  const errors = responses.flatMap(([status, response]) => ('$ref' in response ? [status] : []))
  return `<article id="${escaped(o.operationId)}">
<h3><code class="method">${method.toUpperCase()}</code> <code>${escaped(path)}</code></h3>
<p>${escaped(o.summary)}. ${escaped(o.description)}</p>
${parameters('Query', o, 'query')}
${parameters('Headers', o, 'header')}
${o.requestBody ? bodies('Body', o.requestBody.content) : ''}
${responses.map(([status, response]) => ('$ref' in response ? '' : bodies(`Response ${status}`, response.content))).join('')}
<h4>Errors</h4><p>${escaped(errors.join(', '))}</p>
${examples(o)}
</article>`
}

function examples({ operationId }: Operation) {
  const [group, name] = operationId.split('.') as [string, string]
  const { curl, typescript, switchroom } = snippetsOf(group, name, endpointOf(group, name))
  const block = (label: string, text: string) =>
    `<h4>${label}</h4><pre tabindex="0">${escaped(text)}</pre>`
  return `<details><summary>Examples</summary>${block('curl', curl)}${block('TypeScript', typescript)}${block('switchroom', switchroom)}</details>`
}

const endpointOf = (group: string, name: string): Endpoint =>
  (api as Record<string, Group>)[group]![name]!

export function parameters(heading: string, o: Operation, where: string): string {
  const found = o.parameters.filter((p) => p.in === where)
  if (found.length === 0) return ''
  const required = found.filter((p) => p.required).map((p) => p.name)
  const schemas = Object.fromEntries(found.map((p) => [p.name, p.schema]))
  return `<h4>${heading}</h4>${members(schemas, required)}`
}

/** One block per media type. JSON is the default and is not labeled. */
function bodies(heading: string, content: Content | undefined): string {
  if (!content) return `<h4>${escaped(heading)}</h4><p>No content.</p>`
  return Object.entries(content)
    .map(([type, { schema }]) => {
      const kind = type === 'application/json' ? '' : `, ${type}`
      return `<h4>${escaped(heading + kind)}</h4>${shape(schema)}`
    })
    .join('')
}

function shape(schema: Schema): string {
  const inner = schema.oneOf?.[0] ?? schema
  if (inner.properties) return members(inner.properties, inner.required ?? [])
  if (inner.items?.properties)
    return `<p>Array of</p>${members(inner.items.properties, inner.items.required ?? [])}`
  return `<p>${escaped(typeName(inner))}</p>`
}

function members(properties: Record<string, Schema>, required: string[]): string {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const nested = schema.properties ?? schema.items?.properties
    const inner = nested ? members(nested, schema.required ?? schema.items?.required ?? []) : ''
    return `<li><code>${escaped(name)}</code> <span>${escaped(typeName(schema))}${required.includes(name) ? ', required' : ''}</span>${inner}</li>`
  })
  return `<ul class="members">${rows.join('')}</ul>`
}

function typeName(schema: Schema): string {
  if (schema.enum) return schema.enum.map((v) => JSON.stringify(v)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(typeName))].join(' | ')
  const { type = 'any' } = schema
  const name = Array.isArray(type) ? type.join(' | ') : type
  return schema.maxLength ? `${name}, at most ${schema.maxLength} characters` : name
}

/** `phoneNumbers` → `Phone numbers` */
const title = (tag: string) => {
  const words = tag.replace(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`)
  return words[0]!.toUpperCase() + words.slice(1)
}

const ENTITY: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string) => text.replace(/[&<>"']/g, (c) => ENTITY[c]!)

export const docsCss = `:root {
  color-scheme: light dark;
  --ground: light-dark(oklch(99% 0.003 250), oklch(18% 0.012 250));
  --text: light-dark(oklch(25% 0.02 250), oklch(92% 0.008 250));
  --quiet: light-dark(oklch(45% 0.02 250), oklch(74% 0.015 250));
  --line: light-dark(oklch(90% 0.008 250), oklch(30% 0.015 250));
  --accent: light-dark(oklch(45% 0.09 75), oklch(80% 0.11 75));
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 14px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header, nav, main { max-width: 880px; margin: 0 auto; padding: 0 20px; }
header { padding-top: 32px; }
h1 { font-size: 24px; }
h2 { margin: 48px 0 8px; font-size: 20px; }
h3 { margin: 0; font-size: 14px; }
h4 { margin: 12px 0 4px; color: var(--quiet); font-size: 12px; font-weight: 600; }
p { margin: 4px 0; }
a { color: var(--accent); }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code { font: 13px/1.5 ui-monospace, monospace; }
.method { color: var(--accent); font-weight: 700; }
nav ul { display: flex; flex-wrap: wrap; gap: 4px 20px; padding: 0; list-style: none; }
span { color: var(--quiet); }
article { padding: 20px 0; border-top: 1px solid var(--line); }
.members { margin: 0; padding-left: 16px; list-style: none; }
pre { margin: 0; padding: 8px 12px; overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; font: 13px/1.5 ui-monospace, monospace; }
pre:focus-visible { outline: 2px solid var(--accent); }
summary { color: var(--accent); cursor: pointer; }
.members .members { border-left: 1px solid var(--line); margin-left: 4px; }
`
