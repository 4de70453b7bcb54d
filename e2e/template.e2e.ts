import { expect, it } from 'vitest'
import { databasesFor } from './databases.ts'
import { api, fetchToken, PASSWORD, startSwitchroom } from './harness.ts'
import { NEIGHBOUR } from './neighbour.ts'

type Named = { name: string }

it.each(databasesFor('template'))(
  'starts every story with nothing of another one, on %s',
  async (database) => {
    const namesAt = async (url: string, token: string) => {
      const lists = ['/Users', '/Accounts', '/VoipCarriers', '/ServiceProviders', '/Applications']
      const found = await Promise.all(lists.map((path) => api<Named[]>(url, token, 'GET', path)))
      return found.flat().map(({ name }) => name)
    }
    const first = await startSwitchroom(database)
    const token = await fetchToken(first.url)
    const fresh = await namesAt(first.url, token)
    expect(fresh).toContain(NEIGHBOUR.name)
    const user = { name: 'ann', email: 'ann@example.org', initial_password: PASSWORD }
    await api(first.url, token, 'POST', '/Users', { ...user, force_change: 0 })
    await api(first.url, token, 'POST', '/ServiceProviders', { name: 'Acme Telecom' })
    const second = await startSwitchroom(database)
    try {
      const admin = await fetchToken(second.url)
      expect(await namesAt(second.url, admin)).toEqual(fresh)
      // neither people nor sessions of the other
      await expect(fetchToken(second.url, user.name)).rejects.toThrow('403')
      await expect(api(second.url, token, 'GET', '/Users/me')).rejects.toThrow('401')
      await api(second.url, admin, 'POST', '/ServiceProviders', { name: 'Other Telecom' })
    } finally {
      await first.stop()
      await second.stop()
    }
    const third = await startSwitchroom(database)
    try {
      expect(await namesAt(third.url, await fetchToken(third.url))).toEqual(fresh)
    } finally {
      await third.stop()
    }
  },
)
