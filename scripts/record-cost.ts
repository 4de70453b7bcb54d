import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, expect } from 'vitest'
import { processorSeconds } from './processor-time.ts'

// Appends what each test file costs to the file that TEST_COSTS names, a JSON object per line. Vitest loads this
// before each test file. With shared modules a file's cost has what its worker did since the file before.

const costs = process.env.TEST_COSTS
const state = globalThis as { processorSecondsBefore?: number | undefined }

if (costs) {
  state.processorSecondsBefore ??= 0
  afterAll(() => {
    const now = processorSeconds()
    if (now === undefined) return
    const seconds = now - (state.processorSecondsBefore ?? 0)
    state.processorSecondsBefore = now
    const file = relative(process.cwd(), expect.getState().testPath ?? '')
    appendFileSync(costs, `${JSON.stringify({ file, seconds: Math.max(0, seconds) })}\n`)
  })
}
