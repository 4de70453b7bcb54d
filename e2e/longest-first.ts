import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The slowest test files on two cores, slowest first. */
export const LONGEST = [
  'e2e/screens-roles.e2e',
  'e2e/subscription.e2e',
  'e2e/register.e2e',
  'e2e/carriers.e2e',
  'e2e/access.e2e',
  'e2e/provision.e2e',
  'e2e/numbers.e2e',
  'e2e/screens.e2e',
  'e2e/hung-records.e2e',
  'test/hostile.test',
  'billing/recovery.test',
  'test/endpoints/tenancy.test',
  'gateway-probes/probe.test',
  'live-calls/live-calls.test',
  'phone-numbers/mass.test',
  'test/silent-no-ops.test',
  'vendors/nuance.test',
  'recent-calls/recent-calls.test',
  'alert-destinations/claim-alerts.test',
  'applications/app-env.test',
  'captures/sipp.timing.test',
  'stores/open.test',
  'files/ingest.test',
].map((name) => `/${name}.ts`)

/**
 * Without timings Vitest runs the largest files first. Some small files wait for timeouts or visit every screen;
 * started late, they would run on alone.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(name))
      return at === -1 ? LONGEST.length : at
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
