import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { offered } from '../src/system/mcp/offered.ts'
import { serveMcp } from '../src/system/mcp/serve.ts'
import { type TestApp, testApp } from './app.ts'
import { MCP } from './mcp.ts'
import { withFixtures } from './mcp-fixtures.ts'

/** The protocol's own conformance suite against `/mcp`: every scenario of a server, of all versions. */

const SUITE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/package.json'))
const PATH = '/mcp/conformance'

/** Scenarios that do not apply, and why. The suite may not pass them. */
const NOT_OURS: Record<string, string> = {
  'logging-set-level': 'messages of the log are not offered',
  'tools-call-with-logging': 'messages of the log are not offered',
  'completion-complete': 'completion of arguments is not offered',
  'resources-subscribe': 'a subscription needs a session',
  'resources-unsubscribe': 'a subscription needs a session',
  'tools-call-sampling': 'the client’s answer comes in another request, which needs a session',
  'tools-call-elicitation': 'the client’s answer comes in another request, which needs a session',
  'elicitation-sep1034-defaults': 'as elicitation',
  'elicitation-sep1330-enums': 'as elicitation',
  'server-sse-polling': 'a stream that goes on elsewhere needs a session',
  'server-sse-multiple-streams': 'it warns that there is no session; its streams come',
}

let t: TestApp
let front: Server
const folder = mkdtempSync(join(tmpdir(), 'switchroom-conformance-'))
beforeAll(async () => {
  t = await testApp(MCP)
  const surface = async () => (caller: Parameters<typeof offered>[0]) =>
    withFixtures(offered(caller))
  serveMcp(t.app, t.ctx, { path: PATH, surface })
  const { port } = new URL(await t.app.listen({ host: '127.0.0.1', port: 0 }))
  // the suite knows no keys
  front = createServer((asked, answer) => {
    const { method, headers } = asked
    const authorization = `Bearer ${t.bearer['a1-key']}`
    const passed = request(
      { port, method, path: PATH, headers: { ...headers, authorization } },
      (from) => {
        answer.writeHead(from.statusCode!, from.headers)
        from.pipe(answer)
      },
    )
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  front.closeAllConnections()
  front.close()
  await t.close()
  rmSync(folder, { recursive: true, force: true })
})

type Check = { id: string; status: string; errorMessage?: string }

it('passes, but for what does not apply', async () => {
  const { port } = front.address() as AddressInfo
  const args = ['server', '--url', `http://127.0.0.1:${port}/mcp`, '--suite', 'all', '-o', folder]
  // it ends with an error if any scenario fails
  await promisify(execFile)(process.execPath, [join(SUITE, '../dist/index.js'), ...args]).catch(
    () => undefined,
  )
  const scenarios = globSync(join(folder, '*/checks.json')).map((file) => {
    const [, name] = /server-(.+)-\d{4}-\d\d-\d\dT/.exec(file)!
    const checks = JSON.parse(readFileSync(file, 'utf8')) as Check[]
    // a warning is a recommendation
    const failed = checks.filter(({ status }) => !['SUCCESS', 'INFO'].includes(status))
    return { name: name!, failed }
  })
  expect(scenarios.length).toBeGreaterThan(30)
  const failing = scenarios.filter(({ failed }) => failed.length > 0)
  const unexpected = failing.filter(({ name }) => !(name in NOT_OURS))
  expect(unexpected).toEqual([])
  expect(failing.map(({ name }) => name).sort()).toEqual(Object.keys(NOT_OURS).sort())
})
