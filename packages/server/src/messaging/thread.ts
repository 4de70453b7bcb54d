import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { answering } from '../stores/embedded/ports.ts'

/**
 * One provider module, apart from whoever answers requests: it reads what strangers send, and what it prints
 * may hold messages and passwords.
 */
type Module = {
  fromProviderFormat?: unknown
  formatProviderResponse?: unknown
  sendSms?: unknown
}
type Callable = (...args: unknown[]) => unknown

const load = createRequire(join(process.cwd(), 'package.json'))
let loaded: Module | undefined
const part = (name: keyof Module): Callable => {
  loaded ??= load(workerData.module) as Module
  return loaded[name] as Callable
}
const has = (name: keyof Module) => typeof part(name) === 'function'

/** As JSON has it: nothing else leaves a module. */
const plain = (value: unknown) => {
  const text = JSON.stringify(value)
  return text === undefined ? undefined : (JSON.parse(text) as unknown)
}

answering(parentPort!, {
  /** What the module can do. Throws where it cannot be loaded. */
  abilities: () => ({ receives: has('fromProviderFormat'), sends: has('sendSms') }),
  convert: async (messageSid: string, body: unknown) =>
    plain(await part('fromProviderFormat')({ messageSid }, body)),
  /** What the carrier is answered. */
  response: async (answer: unknown) => {
    const format: unknown = part('formatProviderResponse')
    if (typeof format === 'number') return { status: format }
    return has('formatProviderResponse')
      ? { status: 200, body: plain(await (format as Callable)(answer)) }
      : { status: 200 }
  },
  send: async (options: unknown, body: unknown) => plain(await part('sendSms')(options, body)),
})
