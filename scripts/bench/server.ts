import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../services.ts'
import { START } from '../start-command.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Node's options, as `npm start` gives them. */
const OPTIONS = START.slice(0, -1)

export type Server = Awaited<ReturnType<typeof startServer>>

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Starts a program that serves `/health`, and measures it from outside. `probe` is code that runs in it first, which
 * can answer messages.
 */
export async function startServer(
  file: string,
  environment: Record<string, string>,
  probe?: string,
  cwd = root,
) {
  const port = await freePort()
  const began = performance.now()
  const imported = probe ? [`--import=data:text/javascript,${encodeURIComponent(probe)}`] : []
  const child = spawn(process.execPath, [...imported, ...OPTIONS, file], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit', probe ? 'ipc' : 'ignore'],
    env: { PATH: process.env.PATH, HTTP_PORT: String(port), ...environment },
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const url = `http://127.0.0.1:${port}`
  while (!(await isHealthy(url))) {
    if (performance.now() - began > 60_000 || child.exitCode !== null)
      throw new Error(`${file} did not start`)
    await new Promise((r) => setTimeout(r, 5))
  }
  const start_ms = performance.now() - began
  const status = (field: 'VmRSS' | 'VmHWM') => {
    const text = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(text)?.[1]) / 1024
  }
  return {
    url,
    pid: child.pid!,
    start_ms,
    /** Megabytes now. */
    memory: () => status('VmRSS'),
    /** The most megabytes since the start, or since `forgetPeak`. */
    peak: () => status('VmHWM'),
    forgetPeak: () => writeFileSync(`/proc/${child.pid}/clear_refs`, '5'),
    processor: () => processorTime(child.pid!),
    /** Sends the probe a message and returns its answer. */
    async probe() {
      const answer = once(child, 'message')
      child.send('')
      return (await answer)[0] as unknown
    },
    async stop() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** Milliseconds of processor that a program has taken since its start, in all threads. */
export function processorTime(pid: number) {
  const [, fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = fields!.split(' ').slice(11, 13).map(Number)
  // clock ticks, of which Linux has 100 a second
  return (user! + system!) * 10
}

const isHealthy = (url: string) =>
  new Promise<boolean>((resolve) => {
    get(`${url}/health`, { agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    }).on('error', () => resolve(false))
  })

/** A server under load. Of one that runs elsewhere the processor's time is not known. */
export type Loaded = Pick<Server, 'url' | 'processor'>

export type Load = { perSecond: number; p50: number; p99: number; cpu: number; refused: number }

/** 32 connections with requests one after another. Times in milliseconds; `cpu` is the server's per request. */
export async function load(
  { server, path, token, script }: { server: Loaded; path: string; token: string; script?: string },
  { seconds, folder }: { seconds: number; folder: string },
): Promise<Load> {
  const file = join(folder, 'wrk.lua')
  if (script) writeFileSync(file, script)
  const before = server.processor()
  const { stdout } = await promisify(execFile)('wrk', [
    ...['-t2', '-c32', `-d${seconds}s`, '--latency'],
    ...['-H', `authorization: Bearer ${token}`],
    ...(script ? ['-s', file] : []),
    server.url + path,
  ])
  const find = (pattern: RegExp) => pattern.exec(stdout)?.[1] ?? '0'
  const ms = (text: string) =>
    Number.parseFloat(text) * (text.endsWith('us') ? 0.001 : text.endsWith('ms') ? 1 : 1_000)
  return {
    perSecond: Number(find(/Requests\/sec:\s+([\d.]+)/)),
    p50: ms(find(/^ +50% +(\S+)/m)),
    p99: ms(find(/^ +99% +(\S+)/m)),
    cpu: (server.processor() - before) / Number(find(/(\d+) requests in/)),
    refused: Number(find(/Non-2xx or 3xx responses: (\d+)/)),
  }
}
