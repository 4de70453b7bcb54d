import { once } from 'node:events'
import { get } from 'node:http'
import { Worker } from 'node:worker_threads'
import { ACCOUNT } from './data.ts'
import type { Server } from './server.ts'

/** Measurements that need no 32 connections. */

export const PASSWORD = 'correct horse 1'

export async function logIn(server: Server) {
  const answer = await fetch(`${server.url}/api/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  })
  if (!answer.ok) throw new Error(`The log-in was answered with ${answer.status}`)
  return (await answer.json()) as { token: string; user_sid: string }
}

export async function addApiKey(server: Server, token: string) {
  const answer = await fetch(`${server.url}/api/v1/ApiKeys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: '{}',
  })
  if (!answer.ok) throw new Error(`Adding an API key was answered with ${answer.status}`)
  return ((await answer.json()) as { token: string }).token
}

/** Milliseconds until the whole answer is there, and its bytes on the wire. */
export const ask = (server: Server, path: string, token: string, headers = {}) =>
  new Promise<{ ms: number; bytes: number }>((resolve, reject) => {
    const began = performance.now()
    const options = { headers: { authorization: `Bearer ${token}`, ...headers } }
    get(`${server.url}/api/v1${path}`, options, async (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${path}: ${answer.statusCode}`))
      let bytes = 0
      for await (const chunk of answer) bytes += (chunk as Buffer).length
      resolve({ ms: performance.now() - began, bytes })
    }).on('error', reject)
  })

/** Every phone number in one answer: its time, and by how many megabytes the server grew meanwhile. */
export async function askForAll(server: Server, token: string, headers = {}) {
  server.forgetPeak()
  const before = server.memory()
  const { ms, bytes } = await ask(server, '/PhoneNumbers', token, headers)
  return { seconds: ms / 1_000, megabytes: bytes / 1e6, grown: server.peak() - before }
}

/** Four people who read an account again and again. The p99 of their waits in milliseconds. */
async function waits(server: Server, token: string, meanwhile: Promise<unknown>) {
  const people = Array.from(
    { length: 4 },
    () =>
      new Worker(new URL('../bench-person.ts', import.meta.url), {
        workerData: { url: `${server.url}/api/v1/Accounts/${ACCOUNT}`, token },
      }),
  )
  await meanwhile
  const durations = await Promise.all(
    people.map(async (person) => {
      person.postMessage('end')
      return ((await once(person, 'message')) as [number[]])[0].slice(5)
    }),
  )
  return percentile(durations.flat(), 0.99)
}

const percentile = (values: number[], p: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * p)] ?? 0

/** Texts that people type letter by letter: numbers in their own spelling, names, sids, and texts without a match. */
const typed = (i: number) => {
  const digits = String(15_080_000_000 + i * 7_001)
  const texts = [
    `+1 (${digits.slice(1, 4)}) ${digits.slice(4, 7)}-${digits.slice(7)}`,
    `${digits.slice(1, 4)} ${digits.slice(4, 7)} ${digits.slice(7)}`,
    `00${digits.slice(0, 2)} ${digits.slice(2)}`,
    `application ${String(i * 37).padStart(5, '0')}`,
    `carrier ${String(i * 41).padStart(5, '0')}`,
    crypto.randomUUID(),
    'nobody has this name',
  ]
  return texts.flatMap((text) => [text.slice(0, 3), text.slice(0, 7), text])
}

/** The p95 of searches, in milliseconds. */
export async function search(server: Server, token: string) {
  const times: number[] = []
  for (let i = 0; i < 20; i++)
    for (const text of typed(i)) {
      const { ms } = await ask(server, `/Search?${new URLSearchParams({ q: text })}`, token)
      if (i > 0) times.push(ms)
    }
  return percentile(times, 0.95)
}

/** Reads while nobody logs in, and while 16 people do so without a pause. */
export async function storm(server: Server, token: string, seconds: number) {
  const pause = () => new Promise((r) => setTimeout(r, seconds * 1_000))
  const quiet = await waits(server, token, pause())
  let isOver = false
  let logins = 0
  const stormers = Array.from({ length: 16 }, async () => {
    while (!isOver) {
      await logIn(server)
      logins++
    }
  })
  const during = await waits(server, token, pause())
  isOver = true
  const perSecond = logins / seconds
  await Promise.all(stormers)
  return { quiet, during, perSecond }
}
