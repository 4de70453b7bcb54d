import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'

let t: TestApp
const servers: Server[] = []
beforeEach(async () => {
  t = await testApp({ SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8' })
})
afterEach(async () => {
  for (const server of servers.splice(0)) server.close()
  await t.close()
})

const serveText = (text: string, status = 200) =>
  new Promise<string>((resolve) => {
    const server = createServer((_, reply) => reply.writeHead(status).end(text))
    servers.push(server)
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/call`),
    )
  })

const schema = {
  TOKEN: { type: 'string', description: 'A key', required: true, obscure: true },
  SIZE: { type: 'number', description: 'How many', enum: [1, 2] },
}
const hooks = (url: string) => ({ call_hook: { url }, call_status_hook: { url } })

it('accepts only the variables that the application declares', async () => {
  const url = await serveText(JSON.stringify(schema))
  const create = (env_vars: Record<string, string | number | boolean>) =>
    t.as('a1')(api.applications.create, { body: { name: 'ivr', ...hooks(url), env_vars } })
  const refusal = (name: string, message: string, msg: string) => ({
    status: 400,
    message: msg,
    body: { issues: [{ path: ['env_vars', name], message }] },
  })
  await expect(create({})).rejects.toMatchObject(
    refusal('TOKEN', 'Enter a value for TOKEN', 'Missing required value env_vars.TOKEN'),
  )
  await expect(create({ TOKEN: 3 })).rejects.toMatchObject(
    refusal('TOKEN', 'The value of TOKEN is not valid', 'Invalid value/type for env_vars.TOKEN'),
  )
  await expect(create({ TOKEN: 'x', SIZE: 3 })).rejects.toMatchObject(
    refusal('SIZE', 'The value of SIZE is not valid', 'Invalid value/type for env_vars.SIZE'),
  )
  expect(await t.db.selectFrom('webhooks').selectAll().execute()).toEqual([])

  const { sid } = await create({ TOKEN: 'x', SIZE: 2, other: 'kept' })
  const params = { application_sid: sid }
  const update = (body: object) => t.as('a1')(api.applications.update, { params, body })
  await expect(update({ env_vars: { TOKEN: false } })).rejects.toMatchObject({ status: 400 })
  await update({ name: 'renamed' })
  await update({ env_vars: null })
  // other URLs declare no variables
  await update({ env_vars: { SIZE: 'any' }, call_hook: { url: await serveText('', 404) } })
  expect((await t.as('a1')(api.applications.view, { params })).env_vars).toEqual({ SIZE: 'any' })
})

it('accepts a masked value from a list', async () => {
  const url = await serveText(JSON.stringify(schema))
  const hook = { url, username: 'u', password: 'CANARY' }
  const { sid } = await t.as('a1')(api.applications.create, {
    body: {
      name: 'ivr',
      call_hook: hook,
      call_status_hook: hook,
      env_vars: { TOKEN: 'CANARY', SIZE: 1 },
    },
  })
  const listed = await t.request('a1', 'GET', '/Applications')
  expect(listed.body).not.toContain('CANARY')
  const [{ call_hook, env_vars }] = listed.json()
  const params = { application_sid: sid }
  await t.as('a1')(api.applications.update, { params, body: { call_hook, env_vars } })
  expect(await t.as('a1')(api.applications.view, { params })).toMatchObject({
    call_hook: { password: 'CANARY' },
    call_status_hook: { password: 'CANARY' },
    env_vars: { TOKEN: 'CANARY', SIZE: 1 },
  })
})
