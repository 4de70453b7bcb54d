import { failureText, fromServer, type InboxIssue, THING_STATES } from '@switchroom/contract'

/** An issue in a sentence. */
export function issueText(issue: InboxIssue): string {
  switch (issue.kind) {
    case 'carrier': {
      const { name, state, reason } = issue.carrier
      return `${name}: ${THING_STATES[state]}. ${fromServer(reason)}`
    }
    case 'failure':
      return failureText(issue.failure)
    case 'alert': {
      // the names of all types are in a script that the list does without
      const type = fromServer(issue.subject ?? issue.key)
      const { message } = issue.alerts.latest
      return message ? `${type}: ${fromServer(message)}` : type
    }
    case 'anomaly':
      return fromServer(issue.anomaly.sentence)
  }
}
