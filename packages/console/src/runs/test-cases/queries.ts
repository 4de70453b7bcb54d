import { query } from '../../lib/api'
import { callCases, testCases } from '../../lib/endpoints'

/** Most test cases that an application has, so that one page holds them all. */
const ALL = 50

export const listOf = (application_sid: string) =>
  query(testCases.list, {
    params: { application_sid },
    query: { page: 1, page_size: ALL, sort: 'name' },
  })

type TestCaseParams = { application_sid: string; test_case_sid: string }
export const viewOf = (params: TestCaseParams) => query(testCases.view, { params })

const casesHref = (application_sid: string) =>
  `/internal/applications/${application_sid}/test-cases`
export const testCaseHref = ({ application_sid, test_case_sid }: TestCaseParams) =>
  `${casesHref(application_sid)}/${test_case_sid}`
export const saveHref = (application_sid: string, run_sid: string) =>
  `${casesHref(application_sid)}/add?run=${run_sid}`

type CallParams = { account_sid: string; trace_id: string }
export const caseOfCall = (params: CallParams) => query(callCases.view, { params })
