import { expect } from 'vitest'
import { visitEveryScreen } from './screens.ts'

const REFUSED =
  /^(Add|Save|Delete|Edit|Generate|Discard|Clear TTS|Replace|Test(?! case)|Run(?!s)|Hear|Try voices|Record|Hang up|Call again|Play|Stop)\b/

visitEveryScreen('viewer', async (page, name) => {
  // no actions that the server would refuse
  const main = page.getByRole('main')
  const names = [
    ...(await main.getByRole('button').allInnerTexts()),
    ...(await main.getByRole('link').allInnerTexts()),
  ]
  expect(
    names.filter((n) => REFUSED.test(n.trim())),
    name,
  ).toEqual([])
})
