import { getHeapSpaceStatistics } from 'node:v8'
import { expect, it } from 'vitest'
import { giveBack } from './give-back.ts'

const roomForNew = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')!.space_size

it('gives back the room for what is new, which grew as all of it stayed', async () => {
  const kept = Array.from({ length: 500_000 }, (_, i) => ({ i }))
  expect(roomForNew()).toBeGreaterThan(8e6)
  await giveBack()
  expect(roomForNew()).toBeLessThan(4e6)
  expect(kept).toHaveLength(500_000)
})
