import { expect, it } from 'vitest'
import { testApp } from '../../test/app.ts'

const ROWS = 60
const HEAD = 'name,email,account,password'
const rowsOf = (name: string, password: string) =>
  Array.from({ length: ROWS }, (_, i) => `${name}${i},${name}${i}@example.org,a1,${password}`)

it('hashes no more passwords of users once who imports them has gone, and adds nobody', async () => {
  const t = await testApp({}, undefined, undefined, { ownApp: true })
  const url = await t.app.listen({ port: 0, host: '127.0.0.1' })
  const { passwords } = t.ctx.memory
  const { hash } = passwords
  const hashed: string[] = []
  const hashedOf = (password: string) => hashed.filter((plain) => plain === password).length
  const left = Promise.withResolvers<void>()
  passwords.hash = async (plain) => {
    hashed.push(plain)
    if (hashed.length === 3) await left.promise
    return hash(plain)
  }
  const send = (lines: string[], signal?: AbortSignal) =>
    fetch(`${url}/v1/Users/Import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${t.bearer.sp1}`, 'content-type': 'text/csv' },
      body: `${[HEAD, ...lines].join('\n')}\n`,
      ...(signal && { signal }),
    })
  const leaving = new AbortController()
  const response = await send(rowsOf('leaver', 'quiet harbour 7'), leaving.signal)
  await expect.poll(() => hashed.length).toBe(3)
  leaving.abort()
  await expect(response.text()).rejects.toThrow()
  const open = () =>
    new Promise<number>((resolve) => t.app.server.getConnections((_, n) => resolve(n)))
  await expect.poll(open).toBe(0)
  left.resolve()
  // as long as the rest would have taken: as many of another import, which is whole
  expect(await (await send(rowsOf('here', 'quiet harbour 8'))).text()).toContain(`"added":${ROWS}`)
  expect(hashedOf('quiet harbour 8')).toBe(ROWS)
  // one more may have begun before it learns that nobody reads
  expect(hashedOf('quiet harbour 7')).toBeLessThanOrEqual(4)
  const names = await t.db
    .selectFrom('users')
    .select('name')
    .where('name', 'like', 'leaver%')
    .execute()
  expect(names).toEqual([])
  await t.close()
})
