import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { uploadedFile } from './file.ts'

const failing = (cause: Error) =>
  ({ file: () => Promise.reject(cause) }) as unknown as FastifyRequest

it.each([400, 406, undefined])('refuses a form whose parser fails with %s', async (statusCode) => {
  const cause = Object.assign(new Error('Malformed part header'), { statusCode })
  await expect(uploadedFile(failing(cause))).rejects.toMatchObject({ code: 'invalid' })
})

it('does not blame the form for an error of the server', async () => {
  const cause = Object.assign(new Error('the file buffer was not found'), { statusCode: 500 })
  await expect(uploadedFile(failing(cause))).rejects.toBe(cause)
})
