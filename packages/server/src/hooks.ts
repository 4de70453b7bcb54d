import type { Context } from './http/context.ts'

/** Hooks through which lower wings use higher ones, which a start does not load. */
export const hooks: Pick<
  Context,
  | 'onAccountRemoved'
  | 'onProviderRemoved'
  | 'onApplicationRemoved'
  | 'onApplicationMoved'
  | 'onRecordingRemoved'
  | 'requireOwnProof'
> = {
  requireOwnProof: async (...asked) =>
    (await import('./session/second-factor/proof.ts')).requireOwnProof(...asked),
  // foreign keys ask for routing tables first
  onAccountRemoved: [
    async (...removed) => (await import('./routing/lcrs/queries.ts')).removeOfAccount(...removed),
    async (...removed) => (await import('./billing/queries.ts')).closeBilling(...removed),
    async (...removed) =>
      (await import('./users/provisioning/identities.ts')).removeOfAccount(...removed),
    async (...removed) =>
      (await import('./users/saved-views/queries.ts')).removeOfAccount(...removed),
    async (...removed) =>
      (await import('./users/preferences/queries.ts')).removeOfAccount(...removed),
    async (...removed) => (await import('./alerts/queries.ts')).removeOfAccount(...removed),
    async (...removed) =>
      (await import('./conversations/transcript-settings/queries.ts')).removeOfAccount(...removed),
    async (...removed) =>
      (await import('./applications/language-model/queries.ts')).removeOfAccount(...removed),
    async (db, { account_sid }) => (await import('./runs/owned.ts')).removeOf(db, { account_sid }),
    async (...removed) =>
      (await import('./conversations/transcriptions/queries.ts')).removeOfAccount(...removed),
    async (...removed) =>
      (await import('./conversations/model-sessions/queries.ts')).removeOfAccount(...removed),
  ],
  onProviderRemoved: [
    async (...removed) => (await import('./routing/lcrs/queries.ts')).removeOfProvider(...removed),
    async (...removed) =>
      (await import('./users/directories/queries.ts')).removeOfProvider(...removed),
    async (...removed) =>
      (await import('./users/saved-views/queries.ts')).removeOfProvider(...removed),
    async (...removed) =>
      (await import('./tenants/brands/queries.ts')).removeOfProvider(...removed),
    async (...removed) => (await import('./alerts/queries.ts')).removeOfProvider(...removed),
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
