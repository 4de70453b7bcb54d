import { thingHref } from '../lib/thing-href'

/** Link from a call to the form of a new test case, which is filled in from the call's trace. */
export const testCaseOfCallHref = (
  application_sid: string,
  { account_sid, trace_id }: { account_sid: string; trace_id: string },
) =>
  `${thingHref('application', application_sid)}/test-cases/add?${new URLSearchParams({ account_sid, call: trace_id })}`
