import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { MASK } from '@switchroom/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildCli } from '../packages/cli/build.ts'
import {
  commandOf,
  curlOf,
  type ShownRequest,
  typescriptOf,
} from '../packages/contract/src/wire/request-text.ts'

const run = promisify(execFile)
const received: { method: string; url: string; authorization: string; body: unknown }[] = []
const server = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  received.push({
    method: request.method!,
    url: request.url!,
    authorization: request.headers.authorization!,
    body: text === '' ? undefined : JSON.parse(text),
  })
  response.end('{"sid":"x"}')
})
let base: string
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`
})
afterAll(() => new Promise((done) => server.close(done)))

const HOSTILE = [
  `it's "quoted"`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: for the shell
  '$(touch /tmp/never) `touch /tmp/never` $HOME ${HOME} %s %n !!',
  'back\\slash \\n \\\\',
  'two\nlines\r\nand\ta tab',
  '</script>\u2028…😀',
  "'; exit 1; '",
  '@/etc/passwd',
  '',
]
const SECRET = `s'e"c$(r)e\\t\n\tkey\n…`

/** Runs both texts, with the variables they name, and gives what the server received. */
async function sent(request: ShownRequest, secrets: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH!, SWITCHROOM_API_KEY: 'key-1', ...secrets }
  received.length = 0
  await run('sh', ['-c', curlOf(base, request)], { env })
  const code = typescriptOf(base, request)
  await run(process.execPath, ['--input-type=module-typescript', '--eval', code], { env })
  expect(received).toHaveLength(2)
  expect(received[1]).toEqual(received[0])
  return received[0]!
}

it('sends exactly the request, whatever is in it', async () => {
  const body = {
    name: HOSTILE.join(' '),
    list: HOSTILE,
    [HOSTILE[0]!]: null,
    nested: { flag: 1, empty: {}, none: [], deep: [{ on: true, half: 0.5 }] },
  }
  const request = { method: 'PUT', url: '/VoipCarriers/1', body }
  expect(await sent(request)).toEqual({
    ...request,
    url: '/api/v1/VoipCarriers/1',
    authorization: 'Bearer key-1',
  })
})

it('lists with filters', async () => {
  const url = `/VoipCarriers?${new URLSearchParams({ filter: HOSTILE.join(''), 'a[]': '{1,2}' })}`
  expect(await sent({ method: 'GET', url, body: undefined })).toEqual({
    method: 'GET',
    url: `/api/v1${url}`,
    authorization: 'Bearer key-1',
    body: undefined,
  })
})

it('sends the same by the command line', async () => {
  const bin = mkdtempSync(join(tmpdir(), 'switchroom-copy-'))
  await buildCli(join(bin, 'cli'))
  symlinkSync(join(bin, 'cli/switchroom.js'), join(bin, 'switchroom'))
  const path = `${bin}:${dirname(process.execPath)}:${process.env.PATH}`
  const command = async (words: string[], body?: unknown, secrets = {}) => {
    received.length = 0
    const text = commandOf(base, { body }, words)
    const env = { PATH: path, HOME: bin, SWITCHROOM_API_KEY: 'key-1', ...secrets }
    await run('sh', ['-c', text], { env })
    expect(received).toHaveLength(1)
    return received[0]!
  }
  const body = {
    name: HOSTILE.join(' '),
    list: HOSTILE,
    nested: { flag: 1, smpp_password: SECRET },
  }
  const secrets = { NESTED_SMPP_PASSWORD: SECRET }
  expect(await command(['voip-carriers', 'create'], body, secrets)).toEqual({
    ...{ method: 'POST', url: '/api/v1/VoipCarriers', authorization: 'Bearer key-1', body },
  })
  const filter = HOSTILE.join('')
  const query = new URLSearchParams({ page: '2', page_size: '25', filter })
  expect(
    await command(['voip-carriers', 'list', '--page=2', '--page-size=25', `--filter=${filter}`]),
  ).toMatchObject({ method: 'GET', url: `/api/v1/VoipCarriers?${query}` })
  rmSync(bin, { recursive: true })
})

it('names secrets as variables, and sends their values', async () => {
  const body = {
    name: 'North',
    smpp_password: SECRET,
    register_password: MASK,
    inbound_auth_password: null,
    call_hook: {
      url: `https://user:${encodeURIComponent('canary')}@example.com/x`,
      password: SECRET,
    },
    env_vars: { 'API URL': SECRET, other: { deep: SECRET } },
    bucket_credential: { vendor: 'aws_s3', secret_access_key: SECRET },
    app_json: JSON.stringify([{ verb: 'dial', auth: { password: 'canary' } }]),
  }
  const request = { method: 'POST', url: '/x', body }
  for (const text of [curlOf(base, request), typescriptOf(base, request)]) {
    expect(text).not.toContain('canary')
    expect(text).not.toContain('key\\n')
  }
  const names = {
    SMPP_PASSWORD: SECRET,
    CALL_HOOK_URL: body.call_hook.url,
    CALL_HOOK_PASSWORD: SECRET,
    ENV_VARS_API_URL: SECRET,
    ENV_VARS_OTHER_DEEP: SECRET,
    BUCKET_CREDENTIAL_SECRET_ACCESS_KEY: SECRET,
    APP_JSON: body.app_json,
  }
  expect((await sent(request, names)).body).toEqual(body)
})
