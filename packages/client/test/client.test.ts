import { randomUUID } from 'node:crypto'
import { api } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../server/test/app.ts'
import * as client from '../src/index.ts'

const { connect, Changed, Conflict, InvalidRequest, NotFound, NotSupported, Unreachable } = client

let t: TestApp
let url: string
beforeAll(async () => {
  t = await testApp({}, undefined, undefined, { ownApp: true })
  url = await t.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => t.close())

/** A client of account a1, and what it has sent. `answer` may take the server's place. */
function clientOf(
  answer: (request: Request, tries: number) => Response | undefined = () => undefined,
) {
  const sent: Request[] = []
  const waits: number[] = []
  const switchroom = connect({
    url,
    apiKey: t.bearer['a1-key'],
    random: () => 0,
    wait: async (ms) => void waits.push(ms),
    fetch: async (input, init) => {
      const request = new Request(input, init)
      sent.push(request)
      const path = new URL(request.url).pathname
      const tries = sent.filter((one) => new URL(one.url).pathname === path).length
      return answer(request, tries) ?? fetch(request)
    },
  })
  return {
    switchroom,
    sent,
    waits,
    calls: () => sent.map((r) => `${r.method} ${new URL(r.url).pathname}`),
  }
}

const numbers = ['4930001', '4930002', '4930003', '4930004', '4930005']

it('has every endpoint of the contract', () => {
  const { switchroom } = clientOf()
  const functions = switchroom as unknown as Record<string, Record<string, unknown>>
  for (const [group, endpoints] of Object.entries(api))
    for (const name of Object.keys(endpoints))
      expect(typeof functions[group]![name]).toBe('function')
})

describe('what it sends and reads', () => {
  it('adds, reads and changes a thing with its version', async () => {
    const { switchroom } = clientOf()
    const { sid } = await switchroom.phoneNumbers.create({ body: { number: '+4930100' } })
    const params = { phone_number_sid: sid }
    const { number, version } = await switchroom.phoneNumbers.view({ params })
    expect(number).toBe('4930100')
    const change = (description: string) =>
      switchroom.phoneNumbers.update({ params, version, body: { description } })
    expect(await change('Sales')).toBeUndefined()
    const error = await change('Support').catch((e: unknown) => e)
    expect(error).toBeInstanceOf(Changed)
    expect(error).toMatchObject({ status: 409, current: { description: 'Sales' } })
    await switchroom.phoneNumbers.remove({ params })
    await expect(switchroom.phoneNumbers.view({ params })).rejects.toThrow(NotFound)
  })

  it('gives a list by pages and by items, in no more requests than it has pages', async () => {
    const { switchroom, sent } = clientOf()
    for (const number of numbers) await switchroom.phoneNumbers.create({ body: { number } })
    sent.length = 0
    const query = { page_size: 2, filter: '49300', sort: 'number' as const }
    const items: string[] = []
    for await (const { number } of switchroom.phoneNumbers.list.items({ query })) items.push(number)
    expect(items).toEqual(numbers)
    expect(sent).toHaveLength(3)
    const pages: number[] = []
    for await (const { data } of switchroom.phoneNumbers.list.pages({
      query: { ...query, page: 2 },
    }))
      pages.push(data.length)
    expect(pages).toEqual([2, 1])
    expect((await switchroom.phoneNumbers.list({ query })).total).toBe(5)
  })

  it('imports a file with progress, and reads one as a stream', async () => {
    const { switchroom } = clientOf()
    const rows = Array.from({ length: 50 }, (_, i) => `49301${String(i).padStart(3, '0')}`)
    const done: number[] = []
    const read: string[] = []
    const csv = `number\n${rows.join('\n')}\n`
    const verdict = await switchroom.phoneNumbers.import(
      { body: csv, query: { dry_run: 1 } },
      { onRead: ({ separator }) => read.push(separator) },
    )
    expect([verdict.rows, verdict.added, read]).toEqual([50, 50, [',']])
    const added = await switchroom.phoneNumbers.import(
      { body: new Blob([csv]).stream() },
      { onProgress: (progress) => done.push(progress.done) },
    )
    expect(added).toMatchObject({ added: 50, bad_rows: 0 })
    expect(done.length).toBeGreaterThan(0)
    let loaded = 0
    const file = await switchroom.phoneNumbers.export(
      { query: { filter: '49301', columns: 'number' } },
      {
        onProgress: (progress) => {
          loaded = progress.loaded
        },
      },
    )
    const text = await file.text()
    expect([file.name, file.type]).toEqual(['phone-numbers.csv', 'text/csv; charset=utf-8'])
    expect(text.split('\n').filter(Boolean)).toHaveLength(51)
    expect(loaded).toBe(text.length)
  })

  it('changes many rows with and without progress', async () => {
    const { switchroom } = clientOf()
    const body = { select: { matching: { filter: '49301' } }, description: 'imported' }
    expect(await switchroom.phoneNumbers.updateMany({ body })).toEqual({ changed: 50 })
    const select = body.select
    const done: number[] = []
    const removed = await switchroom.phoneNumbers.removeMany(
      { body: { select } },
      { onProgress: (progress) => done.push(progress.done) },
    )
    expect(removed).toEqual({ deleted: 50 })
  })
})

describe('an error', () => {
  it('names the field at fault and the request', async () => {
    const { switchroom, sent } = clientOf()
    const error = await switchroom.phoneNumbers
      .create({ body: { number: 'x' } })
      .catch((e: unknown) => e as client.ApiError)
    expect(error).toBeInstanceOf(InvalidRequest)
    expect(error).toMatchObject({ status: 400, code: 'invalid', field: 'number' })
    expect((error as client.ApiError).requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect(sent).toHaveLength(1)
  })

  it('is found before anything is sent, if asked to', async () => {
    const { switchroom, sent } = clientOf()
    await expect(
      switchroom.phoneNumbers.create({ body: { number: 'x' } }, { check: true }),
    ).rejects.toMatchObject({ name: 'InvalidRequest', field: 'number' })
    expect(sent).toEqual([])
  })

  it('says what is taken', async () => {
    const { switchroom } = clientOf()
    const body = { number: '4930200' }
    await switchroom.phoneNumbers.create({ body })
    await expect(switchroom.phoneNumbers.create({ body })).rejects.toThrow(Conflict)
  })

  it('never has the key in it', async () => {
    const { switchroom } = clientOf(() => {
      throw new TypeError('fetch failed')
    })
    const error = (await switchroom.users.me().catch((e: unknown) => e)) as Error
    expect(error).toBeInstanceOf(Unreachable)
    const told = JSON.stringify([error.message, error.stack, error.cause, { ...error }])
    expect(told).not.toContain(t.bearer['a1-key'])
  })
})

const away = (status = 503, headers = {}) =>
  Response.json({ code: 'unavailable', msg: 'Away', request_id: '' }, { status, headers })
const noAnswer = () => {
  throw new TypeError('fetch failed')
}

describe('a request without an answer', () => {
  it('is repeated if it reads, each time later', async () => {
    const { switchroom, waits, sent } = clientOf((_, tries) => (tries < 4 ? away() : undefined))
    expect((await switchroom.phoneNumbers.list()).page).toBe(1)
    expect(sent).toHaveLength(4)
    expect(waits).toEqual([400, 800, 1_600])
  })

  it('is repeated when the server says, unless that is long', async () => {
    const soon = clientOf((_, tries) => (tries < 2 ? away(429, { 'retry-after': '7' }) : undefined))
    await soon.switchroom.phoneNumbers.list()
    expect(soon.waits).toEqual([7_000])
    const late = clientOf(() => away(429, { 'retry-after': '600' }))
    await expect(late.switchroom.phoneNumbers.list()).rejects.toMatchObject({ retryAfter: 600 })
    expect(late.waits).toEqual([])
  })

  it('is given up after three more', async () => {
    const { switchroom, sent } = clientOf(noAnswer)
    await expect(switchroom.phoneNumbers.list()).rejects.toThrow(Unreachable)
    expect(sent).toHaveLength(4)
  })

  it('is not repeated if a store hangs', async () => {
    const hangs = { code: 'store_timeout', msg: 'Slow', request_id: '' }
    const { switchroom, sent } = clientOf(() => Response.json(hangs, { status: 503 }))
    await expect(
      switchroom.accountRecentCalls.list({
        params: { account_sid: t.sids.a1 },
        query: { days: 1 },
      }),
    ).rejects.toThrow('Slow')
    expect(sent).toHaveLength(1)
  })

  it('is not repeated if it changes something', async () => {
    const { switchroom, sent } = clientOf(() => away())
    const params = { phone_number_sid: randomUUID() }
    await expect(switchroom.phoneNumbers.update({ params, body: {} })).rejects.toThrow('Away')
    await expect(switchroom.phoneNumbers.remove({ params })).rejects.toThrow('Away')
    expect(sent).toHaveLength(2)
  })

  it('adds one thing, although its answer was lost', async () => {
    const key = 'idempotency-key'
    let lost: Promise<Response> | undefined
    const { switchroom, sent, calls } = clientOf((request, tries) => {
      if (request.method !== 'POST' || tries > 1) return undefined
      lost = fetch(request.clone())
      return noAnswer()
    })
    const { sid } = await switchroom.phoneNumbers.create({ body: { number: '4930300' } })
    expect(calls()).toEqual([
      'POST /api/v1/PhoneNumbers',
      'GET /api/v1/Capabilities',
      'POST /api/v1/PhoneNumbers',
    ])
    expect(sent[2]!.headers.get(key)).toBe(sent[0]!.headers.get(key))
    expect(await (await lost!).json()).toEqual({ sid })
    const { total } = await switchroom.phoneNumbers.list({ query: { filter: '4930300' } })
    expect(total).toBe(1)
  })

  it('is not repeated by a server that ignores its key', async () => {
    const { switchroom, calls } = clientOf((request) =>
      request.method === 'POST' ? noAnswer() : new Response('', { status: 404 }),
    )
    const body = { number: '4930301' }
    await expect(switchroom.phoneNumbers.create({ body })).rejects.toThrow(Unreachable)
    expect(calls()).toEqual(['POST /api/v1/PhoneNumbers', 'GET /api/v1/Capabilities'])
  })

  it('ends when it is aborted', async () => {
    const { switchroom } = clientOf()
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(switchroom.phoneNumbers.list({}, { signal })).rejects.toThrow('enough')
  })
})

describe('a server of another version', () => {
  const described = (change: (paths: Record<string, object>) => void) =>
    clientOf((request) => {
      if (!request.url.endsWith('/openapi.json'))
        return Response.json(
          { code: 'not_found', msg: 'Not Found', request_id: '' },
          { status: 404 },
        )
      const document = structuredClone(description) as { paths: Record<string, object> }
      change(document.paths)
      return Response.json(document)
    })
  let description: unknown
  beforeAll(async () => {
    description = (await t.app.inject('/openapi.json')).json()
  })

  it('that is older is told, with the command it lacks', async () => {
    const { switchroom, sent } = described((paths) => delete paths['/Doctor'])
    const error = await switchroom.doctor.run().catch((e: unknown) => e)
    expect(error).toBeInstanceOf(NotSupported)
    expect(error).toMatchObject({ command: 'doctor.run' })
    await expect(
      switchroom.phoneNumbers.view({ params: { phone_number_sid: 'x' } }),
    ).rejects.toThrow(NotFound)
    expect(sent.filter(({ url }) => url.endsWith('/openapi.json'))).toHaveLength(1)
  })

  it('that is newer is told, with what this client lacks', async () => {
    const { switchroom } = described((paths) => {
      paths['/Horoscopes/{sid}'] = { get: { operationId: 'horoscopes.view' } }
    })
    const { unknown } = await switchroom.server.support()
    expect(unknown).toEqual(['horoscopes.view'])
  })

  it('of the same version lacks what is for the hosted variant only', async () => {
    const { lacks, unknown } = await clientOf().switchroom.server.support()
    const hosted = Object.entries(api).flatMap(([group, endpoints]) =>
      Object.entries(endpoints).flatMap(([name, e]) => ('hosted' in e ? `${group}.${name}` : [])),
    )
    expect(lacks.toSorted()).toEqual(hosted.toSorted())
    expect(unknown).toEqual([])
  })
})

it.each([
  ['https://x.test', 'https://x.test/api/v1/Users/me'],
  ['https://x.test/', 'https://x.test/api/v1/Users/me'],
  ['https://x.test/v1', 'https://x.test/v1/Users/me'],
  ['https://x.test/switchroom/api/v1/', 'https://x.test/switchroom/api/v1/Users/me'],
])('asks %s at %s', async (url, asked) => {
  const urls: string[] = []
  const fetch = async (input: unknown) => {
    urls.push(String(input))
    return Response.json({})
  }
  await connect({ url, fetch }).users.me()
  expect(urls).toEqual([asked])
})
