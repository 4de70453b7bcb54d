import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type OAuthClientProvider,
  UnauthorizedError,
} from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, expectToast, logInByForm, openPage, reportFailures } from './browser.ts'
import { PASSWORD, type Switchroom, startSwitchroom } from './harness.ts'
import { shareWorld } from './world.ts'

let server: Switchroom
shareWorld(
  async () => {
    server = await startSwitchroom('sqlite', { SWITCHROOM_MCP: '1' })
  },
  () => server?.stop(),
)

/** Starts the listener of an assistant on the person's own machine, which waits for the code. */
async function listener() {
  const codes: string[] = []
  const http = createServer((request, response) => {
    const code = new URL(request.url!, 'http://localhost').searchParams.get('code')
    if (code) codes.push(code)
    response.end('You may close this page.')
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  return { codes, address: `http://127.0.0.1:${port}/callback`, close: () => http.close() }
}

/** An assistant with the protocol's own SDK. */
function assistant(url: string, client_id: string, redirectUrl: string) {
  const kept: { tokens?: OAuthTokens; verifier?: string; asked?: string } = {}
  const authProvider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { client_name: 'Assistant', redirect_uris: [redirectUrl] },
    clientInformation: () => ({ client_id }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: ({ href }) => void Object.assign(kept, { asked: href }),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier!,
  }
  const open = () => new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider })
  const connect = async (transport = open()) => {
    const client = new Client({ name: 'assistant', version: '1' })
    await client.connect(transport as never)
    return client
  }
  return { kept, open, connect }
}

it('a person connects an assistant, which reads until it is disconnected', async () => {
  const { url } = server
  const waits = await listener()
  const page = await openPage()
  await reportFailures(page, 'connect-program', async () => {
    await logInByForm(page, url)
    await page.goto(`${url}/internal/security`)
    await page.getByRole('button', { name: 'Add program' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Assistant')
    await dialog.getByLabel('Redirect URI').fill('http://127.0.0.1/callback')
    await dialog.getByRole('button', { name: 'Add program' }).click()
    await expectToast(page, 'Added program Assistant')
    const row = page.getByRole('row', { name: /Assistant/ })
    const client_id = /[0-9a-f-]{36}/.exec(await row.innerText())![0]
    await expectAccessible(page, 'security with programs')

    const { kept, open, connect } = assistant(url, client_id, waits.address)
    const first = open()
    await expect(connect(first)).rejects.toThrow(UnauthorizedError)
    await page.goto(kept.asked!)
    await page.getByRole('heading', { name: 'Connect Assistant' }).waitFor()
    await expectAccessible(page, 'connect a program')
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoSidewaysScroll(page, 'connect a program')
    const asked = page.url()
    await page.getByLabel('Read only').check()
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('You may close this page.').waitFor()
    await first.finishAuth(waits.codes[0]!)

    const client = await connect()
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).not.toContain('plan_change')
    const find = () => client.callTool({ name: 'find', arguments: { text: 'default' } })
    expect((await find()).isError ?? false).toBe(false)

    await page.goto(`${url}/internal/security`)
    await page
      .getByRole('button', { name: /End session: Assistant, as an agent, read only/ })
      .click()
    await expectToast(page, 'Session ended')
    await expect(find()).rejects.toThrow()
    await expectNoErrors(page)
    // decided already
    await page.goto(asked)
    await page.getByText('This request has expired. Start again in the program.').waitFor()
  })
  waits.close()
})

it('somebody who is not logged in does so first, and may refuse', async () => {
  const { url } = server
  const page = await openPage()
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
  const asked = new URLSearchParams({
    client_id: 'switchroom-cli',
    redirect_uri: 'http://127.0.0.1:1/callback',
    response_type: 'code',
    scope: 'read write',
    resource: `${url}/api/v1`,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  await page.goto(`${url}/oauth/authorize?${asked}`)
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Connect Switchroom CLI' }).waitFor()
  const back = page.waitForRequest((request) => request.url().startsWith('http://127.0.0.1:1/'))
  await page.getByRole('button', { name: 'Refuse' }).click()
  expect((await back).url()).toContain('error=access_denied')
})
