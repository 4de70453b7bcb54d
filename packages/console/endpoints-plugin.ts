import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { api } from '../contract/src/api.ts'
import { lightApi } from '../contract/src/wire/light.ts'
import { ENDPOINT_MEMBERS } from './src/lib/endpoint-members.ts'

const ID = 'virtual:endpoints'
const CONTRACT = fileURLToPath(new URL('../contract/src/', import.meta.url))

/** A group as the console has it. */
const GROUP = `function group(name, endpoints) {
  for (const [key, endpoint] of Object.entries(endpoints)) {
    endpoint.whole = async () => (await import('${CONTRACT}api.ts')).api[name][key]
    endpoint.parse = async (sent) => {
      if (!endpoint.takesBody) return sent
      const { parseRequest } = await import('${CONTRACT}wire/parse-request.ts')
      return parseRequest(await endpoint.whole(), sent)
    }
  }
  return endpoints
}`

/**
 * The endpoints of the contract without their schemas, as `virtual:endpoints`: what a request needs that sends
 * no body. The schemas are a third of what a list would load, and come when a form is to be sent.
 */
export function endpointsPlugin(): Plugin {
  return {
    name: 'endpoints',
    resolveId: (id) => (id === ID ? `\0${ID}` : null),
    load(id) {
      if (id !== `\0${ID}`) return null
      const light = lightApi(api, ENDPOINT_MEMBERS, ({ body }) => ({ takesBody: body && true }))
      const groups = Object.entries(light).map(
        ([name, group]) => `${name}: group('${name}', ${JSON.stringify(group)})`,
      )
      return `${GROUP}\nexport default { ${groups.join(',\n')} }`
    },
  }
}
