import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { CANARY, diagnose, HOST, setUp } from '../../../test/set-up.ts'

const { folders, close } = setUp()

it('ends in time and names what hangs, whatever hangs', async () => {
  const sockets = new Set<{ destroy: () => void }>()
  const hung = createServer((socket) => void sockets.add(socket)).listen(0, HOST)
  await once(hung, 'listening')
  close.add(() => {
    for (const socket of sockets) socket.destroy()
    hung.close()
  })
  const { port } = hung.address() as AddressInfo
  const at = `${HOST}:${port}`
  const began = performance.now()
  const { results } = await diagnose({
    ...folders.healthy(),
    JWT_SECRET: CANARY,
    JAMBONES_MYSQL_HOST: HOST,
    JAMBONES_MYSQL_PORT: String(port),
    JAMBONES_MYSQL_USER: 'u',
    JAMBONES_MYSQL_DATABASE: 'd',
    JAMBONES_REDIS_HOST: HOST,
    JAMBONES_REDIS_PORT: String(port),
    JAMBONES_TIME_SERIES_HOST: at,
    JAEGER_BASE_URL: `http://${at}`,
    HOMER_BASE_URL: `http://${at}`,
    HOMER_USERNAME: 'u',
    HOMER_PASSWORD: CANARY,
    SMTP_URL: `smtp://user:${CANARY}@${at}`,
    SMTP_FROM: 'console@example.com',
    JAMBONZ_BASE_URL: `https://${at}`,
    JAMBONES_TRUST_PROXY: '1',
  })
  expect(performance.now() - began).toBeLessThan(40_000)
  const wrong = results.filter(({ outcome }) => outcome === 'problem').map(({ check }) => check)
  expect(wrong).toEqual(['database', 'redis', 'influxdb', 'jaeger', 'homer', 'mail'])
  const base = results.filter(({ check }) => check === 'base_url')
  expect(base).toMatchObject([{ outcome: 'warning' }])
})
