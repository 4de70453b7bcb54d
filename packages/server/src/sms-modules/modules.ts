import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Ask, requester } from '../stores/kit/ports.ts'

const LIMIT_MS = 10_000

/** Thrown when the module does not answer in time. */
export class ModuleTimeout extends Error {
  override name = 'ModuleTimeout'
}

type Thread = { ask: Ask; worker: Worker }

/** Whether a module resolves from the working directory. Does not load it. */
export function isInstalled(module: string): boolean {
  try {
    createRequire(join(process.cwd(), 'package.json')).resolve(module)
    return true
  } catch {
    return false
  }
}

/** Runs provider modules, each in its own thread that starts on first use. */
export function providerModules(limit_ms = LIMIT_MS) {
  const threads = new Map<string, Thread>()

  const start = (module: string): Thread => {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: { module },
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 128 },
      // discarded: a module may print messages or passwords
      stdout: true,
      stderr: true,
    })
    worker.stdout.resume()
    worker.stderr.resume()
    worker.unref()
    const { ask, fail } = requester(worker)
    const thread = { ask, worker }
    const workerExited = () => {
      if (threads.get(module) === thread) threads.delete(module)
      fail('The module ended')
    }
    worker.on('error', workerExited)
    worker.on('exit', workerExited)
    threads.set(module, thread)
    return thread
  }

  /** A slow carrier is not the module's fault: other pending calls may finish. */
  const retire = (module: string, { worker }: Thread, what: string) => {
    if (threads.get(module)?.worker === worker) threads.delete(module)
    if (what === 'send') setTimeout(() => void worker.terminate(), limit_ms).unref()
    else void worker.terminate()
  }

  async function run<T>(module: string, what: string, ...args: unknown[]): Promise<T> {
    const thread = threads.get(module) ?? start(module)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        retire(module, thread, what)
        reject(new ModuleTimeout(`${module} did not answer in time`))
      }, limit_ms)
    })
    try {
      return await Promise.race([thread.ask<T>(what, ...args), late])
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    /** What the module supports. Throws when it cannot be loaded. */
    abilities: (module: string): Promise<{ receives: boolean; sends: boolean }> =>
      run(module, 'abilities'),
    convert: (module: string, message_sid: string, body: unknown): Promise<unknown> =>
      run(module, 'convert', message_sid, body),
    response: (module: string, answer: unknown): Promise<{ status: number; body?: unknown }> =>
      run(module, 'response', answer),
    send: (module: string, options: unknown, message: unknown): Promise<unknown> =>
      run(module, 'send', options, message),
    close: () => Promise.all([...threads.values()].map(({ worker }) => worker.terminate())),
  }
}
export type ProviderModules = ReturnType<typeof providerModules>
