import { appendFileSync } from 'node:fs'
import { afterEach, beforeEach } from 'vitest'
import { closePages } from './browser.ts'

const retries = process.env.TEST_RETRIES

// a story that fails is tried once more, and named at the end of the run
beforeEach(({ task }) => {
  if (!retries || !task.result?.retryCount) return
  const error = task.result.errors?.[0]?.message ?? 'no message'
  const { file, fullTestName: name } = task
  appendFileSync(retries, `${JSON.stringify({ file: file.name, name, error })}\n`)
})
afterEach(closePages)
