import { describe, expect, it } from 'vitest'
import { hashPassword, verifyPassword } from './passwords.ts'

// written by the platform's own module
const platform =
  '$argon2i$v=19$m=65536,t=3,p=4$MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY$H5ztzhsgPlWAiZ97BvT9Y0NFXEDM/+GmC103CVb8Nic'
const argon2id =
  '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$14ukWqiThj4Xz77NYv01V28GbBZHY9AaZwsFswQFO0U'

describe('passwords', () => {
  it('match the platform’s hashes', async () => {
    expect(await verifyPassword(platform, 'correct horse')).toBe(true)
    expect(await verifyPassword(platform, 'correct horses')).toBe(false)
  })

  it('are stored in the platform’s format, with a new salt', async () => {
    const stored = await hashPassword('pässword')
    expect(stored).toMatch(/^\$argon2i\$v=19\$m=65536,t=3,p=4\$[\w+/]{43}\$[\w+/]{43}$/)
    expect(await verifyPassword(stored, 'pässword')).toBe(true)
    expect(await hashPassword('pässword')).not.toBe(stored)
  })

  it('match hashes of other algorithms and costs', async () => {
    expect(await verifyPassword(argon2id, 'secret')).toBe(true)
  })

  it('match nothing that is not a hash', async () => {
    for (const stored of [
      '',
      'secret',
      '$argon2i$',
      '$2b$10$abcdefghijklmnopqrstuv',
      platform.slice(0, -9),
    ])
      expect(await verifyPassword(stored, 'secret')).toBe(false)
  })
})
