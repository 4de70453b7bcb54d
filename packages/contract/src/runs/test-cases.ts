import { z } from 'zod'
import { listQuery, pageOf, Sid, Text, versioned } from '../wire/common.ts'
import { adds, endpoints, lists, removes, updates, views } from '../wire/endpoint.ts'
import { StringOrNull } from '../wire/fields.ts'
import { t } from '../wire/text.ts'
import { Answer } from './run-answers.ts'
import { Expectation, MAX_RUN_ANSWERS } from './run-expectations.ts'
import { RunStart } from './run-steps.ts'
import { MAX_EXPECTATIONS, ofApplication, Run } from './runs.ts'

/** Limit per application. */
export const MAX_TEST_CASES = 50
export const TEST_CASE_NAME_TAKEN = t('A test case with this name already exists')

const TestCaseBody = z.object({
  name: Text(100),
  start: RunStart,
  /** The caller hangs up when none are left. */
  answers: z.array(Answer).max(MAX_RUN_ANSWERS),
  /** In this order. */
  expectations: z
    .array(Expectation)
    .min(1, t('Add at least one expectation'))
    .max(MAX_EXPECTATIONS),
})

/** A run that is played without a tester, and what the application must do in it. */
export const TestCase = TestCaseBody.extend({
  test_case_sid: z.string(),
  application_sid: z.string(),
  account_sid: StringOrNull,
})
export type TestCase = z.infer<typeof TestCase>

const latest_run = Run.pick({ run_sid: true, begun_at: true, state: true, is_passed: true })
export const TestCaseItem = TestCase.extend({ latest_run: latest_run.nullable() })
export type TestCaseItem = z.infer<typeof TestCaseItem>
export const TestCaseView = TestCase.extend(versioned)
export type TestCaseView = z.infer<typeof TestCaseView>

const { all, one } = ofApplication('TestCases', { test_case_sid: Sid })
const Begun = z.object({
  runs: z.array(z.object({ test_case_sid: z.string(), run_sid: z.string() })),
})

export const testCases = endpoints({
  list: {
    ...all,
    ...lists,
    summary: 'List the test cases of an application, each with its latest run',
    query: listQuery('name'),
    response: pageOf(TestCaseItem),
  },
  view: { ...one, ...views, summary: 'Get a test case', response: TestCaseView },
  create: { ...all, ...adds, summary: 'Add a test case', body: TestCaseBody },
  update: { ...one, ...updates, summary: 'Update a test case', body: TestCaseBody.partial() },
  remove: { ...one, ...removes, summary: 'Delete a test case' },
  run: {
    ...one,
    path: `${one.path}/Runs`,
    method: 'POST',
    summary: 'Run a test case',
    response: Begun,
  },
  runAll: {
    ...all,
    path: `${all.path}/Runs`,
    method: 'POST',
    summary: 'Run all test cases of an application',
    response: Begun,
  },
})
