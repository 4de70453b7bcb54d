import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { api } from '../contract/src/api.ts'
import { isCreation } from '../contract/src/wire/endpoint.ts'
import { lightApi } from '../contract/src/wire/light.ts'
import { ENDPOINT_MEMBERS } from './src/lib/endpoint-members.ts'

const ALL = 'virtual:endpoints'
const GROUP = 'virtual:endpoint-group'
const CONTRACT = fileURLToPath(new URL('../contract/src/', import.meta.url))

const NAMES = fileURLToPath(new URL('./src/lib/endpoints.ts', import.meta.url))

/** The groups that the console asks. */
const asked = () =>
  [...readFileSync(NAMES, 'utf8').matchAll(/^ {2}([a-z]\w+),$/gm)].map(([, name]) => name!)

/** Makes a group as the console has it. */
const MAKE_GROUP = `export default function group(name, rows) {
  const endpoints = {}
  for (const [key, row] of Object.entries(rows)) {
    const [written, more] = [row].flat()
    const own = written[0] === '+' || undefined
    const [path, verb = 'GET'] = (own ? written.slice(1) : written).split(' ').reverse()
    const creates = verb === 'ADD'
    const method = creates ? 'POST' : verb
    const takesBody = method === 'POST' || method === 'PUT'
    const endpoint = (endpoints[key] = { method, path, takesBody, creates, own, ...more })
    endpoint.withSchemas = async () => (await import('${CONTRACT}api.ts')).api[name][key]
    endpoint.parse = async (sent) => {
      if (!endpoint.takesBody) return sent
      const { parseRequest } = await import('${CONTRACT}wire/parse-request.ts')
      return parseRequest(await endpoint.withSchemas(), sent)
    }
  }
  return endpoints
}`

/**
 * An endpoint in few letters, since every list loads some: `['PUT /Users/:user_sid', {…}]`, where `GET` is left out,
 * `ADD` is a `POST` that creates one thing, and a plus says that no stock server has it.
 */
function written({ method, path, own, creates, ...more }: Record<string, unknown>) {
  const verb = creates ? 'ADD' : method
  const address = (own ? '+' : '') + (verb === 'GET' ? path : `${verb} ${path}`)
  const members = Object.entries(more).filter(([, value]) => value !== undefined)
  const rest = members.map(([name, value]) => `${name}:${JSON.stringify(value)}`)
  return rest.length > 0 ? `['${address}', {${rest.join()}}]` : `'${address}'`
}

/**
 * The endpoints of the contract without their schemas: what a request needs that sends no body. The schemas are a third of
 * what a list would load, and come when a form is to be sent. Each group is a module of its own, so that a screen loads
 * those that it asks; `virtual:endpoints` has all of them.
 */
export function endpointsPlugin(): Plugin {
  return {
    name: 'endpoints',
    resolveId: (id) => (id === ALL || id === GROUP || id.startsWith(`${ALL}/`) ? `\0${id}` : null),
    load(id) {
      if (id === `\0${GROUP}`) return MAKE_GROUP
      if (id === `\0${ALL}`) {
        const imports = asked().map((name) => `import ${name} from '${ALL}/${name}'`)
        return `${imports.join('\n')}\nexport default { ${asked().join()} }`
      }
      const [, name] = id.split(`\0${ALL}/`)
      const endpoints = name && light()[name]
      if (!endpoints) return null
      const rows = Object.entries(endpoints).map(([key, e]) => `${key}:${written(e)}`)
      return `import group from '${GROUP}'
        export default /* @__PURE__ */ group('${name}', {${rows.join()}})`
    },
  }
}

let made: ReturnType<typeof lightApi> | undefined
const light = () =>
  (made ??= lightApi(api, ENDPOINT_MEMBERS, (e) => {
    const isUsual = !!e.body === (e.method === 'POST' || e.method === 'PUT')
    return { creates: isCreation(e), ...(!isUsual && { takesBody: !!e.body }) }
  }))
