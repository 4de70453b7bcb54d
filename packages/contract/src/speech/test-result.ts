import { z } from 'zod'
import { t } from '../wire/text.ts'

export const NO_FREE_TEST = t('This vendor has no free test.')

export const UseResult = z.object({
  status: z.enum(['ok', 'fail', 'not tested']),
  reason: z.string().optional(),
})
export type UseResult = z.infer<typeof UseResult>
export const TestResult = z.object({ tts: UseResult, stt: UseResult })
export type TestResult = z.infer<typeof TestResult>

/** Switchroom only: the result of a credential's last test, for lists and forms. */
export const LastTestResult = TestResult.extend({
  /** ISO 8601, UTC. */
  at: z.string(),
  /** True if it was a live test. */
  real: z.boolean(),
})
export type LastTestResult = z.infer<typeof LastTestResult>
