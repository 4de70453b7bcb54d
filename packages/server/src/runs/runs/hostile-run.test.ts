import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { applicationAt, hook, playRun } from '../../../test/runs.ts'
import { type HookAnswer, httpApplication } from '../../../test/stand-ins/voice-applications.ts'
import { LIMITS } from './limits.ts'

let answer: HookAnswer
let later: HookAnswer | undefined
let app: Awaited<ReturnType<typeof httpApplication>>
beforeEach(async () => {
  later = undefined
  app = await httpApplication(({ path }) => (path === '/call' ? answer : (later ?? answer)))
})
afterEach(() => app.close())

const play = (
  given: Parameters<typeof playRun>[1] = [],
  more: Parameters<typeof playRun>[2] = {},
) => playRun(applicationAt(`${app.url}/call`), given, more)

const endless = (piece: string, ms: number) => (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(piece), ms)
  response.on('close', () => clearInterval(timer))
}

describe('a webhook that answers', () => {
  it.each([
    ['garbage', { text: '\u0000\u0001{[<html>' }, /Not valid JSON/],
    ['something other than verbs', { text: '"text"' }, /must be array/],
    ['null', { text: 'null' }, /must be array/],
    ['what is no verb', { text: '[1,null,[]]' }, /array of objects/],
    ['deep JSON', { text: '['.repeat(200_000) }, /nested/],
    [
      'deep data',
      { text: `[{"verb":"tag","data":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}]` },
      /nested/,
    ],
    [
      '30 MB',
      { text: JSON.stringify([{ verb: 'say', text: 'x'.repeat(30_000_000) }]) },
      /larger than 1 MB/,
    ],
    [
      'a long name',
      { text: JSON.stringify([{ verb: 'say', ['x'.repeat(500_000)]: 1 }]) },
      /unknown property/,
    ],
    ['a name of a prototype', { text: '[{"__proto__":{"text":"x"}}]' }, /invalid instruction/],
    ['another status', 599, /accepts the statuses/],
    ['a redirect', 302, /does not follow redirects/],
    ['nothing', (response: ServerResponse) => response.destroy(), /connection was lost/],
    ['no HTTP', (response: ServerResponse) => response.socket!.end('garbage\r\n\r\n'), /./],
  ] satisfies [string, HookAnswer, RegExp][])('%s is told why', async (_, given, expected) => {
    answer = given as HookAnswer
    const run = await play()
    expect(run.ended).toMatchObject({ by: 'platform', sip_status: 480 })
    expect(run.ended.text).toMatch(expected)
    expect(run.text.length).toBeLessThan(40_000)
  })

  it.each([
    ['slowly', 20],
    ['endlessly', 0],
  ])('%s is not waited for', async (_, ms) => {
    answer = endless(' '.repeat(1_000), ms)
    const run = await play([], { limits: { request_ms: 300 } })
    expect(run.ended).toMatchObject({ by: 'platform', sip_status: 480 })
    expect(run.ended.text).toMatch(/No answer within 0.3 seconds|larger than 1 MB/)
  })

  it('nothing, because its own verbs are too deep', async () => {
    const data = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`
    const app_json = `[{"verb":"tag","data":${data}},{"verb":"hangup"}]`
    const run = await playRun(applicationAt(`${app.url}/call`, { app_json }))
    expect(run.ended).toMatchObject({ by: 'platform', sip_status: 480 })
    expect(run.ended.text).toContain('nested')
  })

  it('10 000 verbs runs some of them', async () => {
    answer = Array.from({ length: 10_000 }, () => ({ verb: 'say', text: 'x' }))
    const run = await play()
    expect(run.said).toHaveLength(LIMITS.verbs)
    expect(run.ended).toMatchObject({ by: 'run', sip_status: null })
    expect(run.ended.text).toContain('Limit reached: 200 verbs.')
  })

  it('redirects for ever ends with a sentence', async () => {
    answer = [{ verb: 'redirect', actionHook: '/next' }]
    const run = await play()
    expect(run.ended).toMatchObject({ by: 'run' })
    expect(run.ended.text).toBe('Limit reached: 100 requests. The application may be looping.')
    expect(app.requests).toHaveLength(LIMITS.requests)
  })

  it('asks again for ever ends with a sentence', async () => {
    answer = [{ verb: 'gather', timeout: 3_000, actionHook: '/call' }]
    const run = await play(Array.from({ length: 500 }, () => ({ kind: 'nothing' as const })))
    expect(run.ended).toMatchObject({ by: 'run', at: LIMITS.clock_ms })
    expect(run.ended.text).toContain('longer than 60 minutes')
  })

  it('numbers beyond all bounds', async () => {
    answer = {
      text: '[{"verb":"gather","timeout":1e999,"numDigits":1e999,"actionHook":"/x"},{"verb":"pause","length":1e999}]',
    }
    later = 204
    const run = await play([{ kind: 'digits', digits: '1' }])
    expect(run.ended.by).toBe('run')
    answer = { text: '[{"verb":"pause","length":1e999}]' }
    expect((await play()).ended.by).toBe('run')
    answer = { text: '[{"verb":"sip:decline","status":1e300},{"verb":"say","text":"x"}]' }
    expect((await play()).ended).toMatchObject({ sip_status: 603 })
    answer = { text: '[{"verb":"pause","length":-5},{"verb":"say","text":"x","loop":-1}]' }
    expect((await play()).said).toEqual(['x'])
  })

  it('keeps a part of what it says, and of all bodies together', async () => {
    answer = [
      { verb: 'say', text: 'y'.repeat(100_000) },
      { verb: 'play', url: 'z'.repeat(100_000), actionHook: '/next' },
    ]
    later = [{ verb: 'play', url: 'z'.repeat(100_000), actionHook: '/next' }]
    const run = await play([], { limits: { kept_bytes: 50_000 } })
    expect(run.said[0]!.length).toBe(4_000)
    const kept = run
      .of('request')
      .reduce(
        (sum, { answer: got, data }) => sum + data.text.length + (got?.body.text.length ?? 0),
        0,
      )
    expect(kept).toBeLessThanOrEqual(50_000)
    expect(run.of('request').at(-1)!.answer!.body.is_cut).toBe(true)
  })
})

describe('a tester', () => {
  const play = (stop: AbortController, ask: () => void) => {
    answer = [{ verb: 'gather', timeout: 0, actionHook: '/x' }]
    return playRun(
      applicationAt(`${app.url}/call`, { call_status_hook: hook(`${app.url}/status`) }),
      [],
      {
        stop: stop.signal,
        caller: {
          ask: () => {
            ask()
            return new Promise(() => {})
          },
        },
      },
    )
  }

  it('who stops the run ends it at once, and the application is told', async () => {
    const stop = new AbortController()
    const run = await play(stop, () => setImmediate(() => stop.abort()))
    expect(run.ended).toMatchObject({ by: 'run', text: 'The run was stopped.', is_answered: true })
    expect(app.at('/status').at(-1)).toMatchObject({ call_status: 'completed' })
  })

  it('who stops it before it begins sends nothing', async () => {
    const stop = new AbortController()
    stop.abort()
    const run = await play(stop, () => {})
    expect(run.ended).toMatchObject({ by: 'run', is_answered: false, sip_status: null })
    expect(app.requests).toEqual([])
  })
})
