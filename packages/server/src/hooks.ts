import * as alerts from './alerts/queries.ts'
import { closeBilling } from './billing/queries.ts'
import * as transcriptSettings from './conversations/transcript-settings/queries.ts'
import type { Context } from './http/context.ts'
import * as lcrs from './routing/lcrs/queries.ts'
import { requireOwnProof } from './session/second-factor/proof.ts'
import * as directories from './users/directories/queries.ts'
import * as preferences from './users/preferences/queries.ts'
import * as identities from './users/provisioning/identities.ts'
import * as savedViews from './users/saved-views/queries.ts'

/** Hooks through which lower wings use higher ones. */
export const hooks: Pick<
  Context,
  | 'onAccountRemoved'
  | 'onProviderRemoved'
  | 'onApplicationRemoved'
  | 'onApplicationMoved'
  | 'onRecordingRemoved'
  | 'requireOwnProof'
> = {
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
    async (db, account) =>
      (await import('./applications/language-model/queries.ts')).removeOfAccount(db, account),
    async (db, { account_sid }) => (await import('./runs/owned.ts')).removeOf(db, { account_sid }),
    async (db, account) =>
      (await import('./conversations/transcriptions/queries.ts')).removeOfAccount(db, account),
    async (db, account) =>
      (await import('./conversations/model-sessions/queries.ts')).removeOfAccount(db, account),
  ],
  onProviderRemoved: [
    lcrs.removeOfProvider,
    directories.removeOfProvider,
    savedViews.removeOfProvider,
    async (db, sid) => (await import('./tenants/brands/queries.ts')).removeOfProvider(db, sid),
    alerts.removeOfProvider,
  ],
  onApplicationRemoved: [
    async (db, application_sid) =>
      (await import('./runs/owned.ts')).removeOf(db, { application_sid }),
  ],
  onApplicationMoved: [async (...moved) => (await import('./runs/owned.ts')).move(...moved)],
  onRecordingRemoved: [
    async (...removed) =>
      (await import('./conversations/transcriptions/searched.ts')).removeWords(...removed),
  ],
}
