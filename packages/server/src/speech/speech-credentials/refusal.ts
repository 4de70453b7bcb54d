import { allFields, type Issue, isSet, type Vendor } from '@switchroom/contract'
import { Failure } from '../../http/failure.ts'

/** The sentence that clients of the platform know, or the issue's own. */
function sentence(vendor: Vendor, config: Record<string, unknown>, issue: Issue): string {
  const field = String(issue.path[0])
  const { id, named, refusal = { name: id } } = vendor
  if (isSet(config[field])) {
    const asked = allFields(vendor)[field]
    return asked?.kind === 'key_file' ? asked.refusals.sent : issue.message
  }
  // the rules of those that accounts name are ours
  if (named) return issue.message
  return typeof refusal === 'string'
    ? refusal
    : `invalid ${refusal.name} speech credential: ${field} is required`
}

/** Refuses settings: every input at fault is named, the first in the platform's words. */
export const refusal = (vendor: Vendor, config: Record<string, unknown>, issues: Issue[]) =>
  new Failure('conflict', sentence(vendor, config, issues[0]!), { issues })
