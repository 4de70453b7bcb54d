import * as alerts from './alerts/queries.ts'
import * as runs from './applications/runs/queries.ts'
import * as suites from './applications/runs/suites.ts'
import * as testCases from './applications/test-cases/queries.ts'
import { closeBilling } from './billing/queries.ts'
import * as transcriptSettings from './calls/transcript-settings/queries.ts'
import type { Context } from './http/context.ts'
import * as lcrs from './routing/lcrs/queries.ts'
import { requireOwnProof } from './session/second-factor/proof.ts'
import * as directories from './users/directories/queries.ts'
import * as preferences from './users/preferences/queries.ts'
import * as identities from './users/provisioning/identities.ts'
import * as savedViews from './users/saved-views/queries.ts'

/** What lower wings ask of higher ones. */
export const hooks: Pick<Context, 'onAccountRemoved' | 'onProviderRemoved' | 'requireOwnProof'> = {
  requireOwnProof,
  // foreign keys ask for routing tables first
  onAccountRemoved: [
    lcrs.removeOfAccount,
    closeBilling,
    identities.removeOfAccount,
    savedViews.removeOfAccount,
    preferences.removeOfAccount,
    alerts.removeOfAccount,
    transcriptSettings.removeOfAccount,
    (db, { account_sid }) => runs.removeOf(db, { account_sid }),
    (db, { account_sid }) => testCases.removeOf(db, { account_sid }),
    (db, { account_sid }) => suites.removeOf(db, { account_sid }),
    async (db, account) =>
      (await import('./calls/transcriptions/queries.ts')).removeOfAccount(db, account),
  ],
  onProviderRemoved: [
    lcrs.removeOfProvider,
    directories.removeOfProvider,
    savedViews.removeOfProvider,
    async (db, sid) => (await import('./tenants/brands/queries.ts')).removeOfProvider(db, sid),
    alerts.removeOfProvider,
  ],
}
