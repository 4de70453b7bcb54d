import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { serveRequests } from '../stores/kit/ports.ts'

/** A provider module, isolated in a thread: it parses input of strangers and may print secrets. */
type Module = {
  fromProviderFormat?: unknown
  formatProviderResponse?: unknown
  sendSms?: unknown
}

const load = createRequire(join(process.cwd(), 'package.json'))
let loaded: Module | undefined
const part = (name: keyof Module): unknown => {
  loaded ??= load(workerData.module)
  return loaded?.[name]
}
async function call(name: keyof Module, ...args: unknown[]): Promise<unknown> {
  const work = part(name)
  if (typeof work !== 'function') throw new TypeError(`${name} is not a function`)
  return work(...args)
}
const exports = (name: keyof Module) => typeof part(name) === 'function'

/** Converts to JSON values: nothing else leaves the thread. */
const plain = (value: unknown): unknown => {
  const text = JSON.stringify(value)
  return text === undefined ? undefined : JSON.parse(text)
}

serveRequests(parentPort!, {
  /** What the module supports. Throws when it cannot be loaded. */
  abilities: () => ({ receives: exports('fromProviderFormat'), sends: exports('sendSms') }),
  convert: async (messageSid: string, body: unknown) =>
    plain(await call('fromProviderFormat', { messageSid }, body)),
  /** The response to the carrier. */
  response: async (answer: unknown) => {
    const format = part('formatProviderResponse')
    if (typeof format === 'number') return { status: format }
    return exports('formatProviderResponse')
      ? { status: 200, body: plain(await call('formatProviderResponse', answer)) }
      : { status: 200 }
  },
  send: async (options: unknown, body: unknown) => plain(await call('sendSms', options, body)),
})
