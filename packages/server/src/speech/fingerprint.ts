import { createHash } from 'node:crypto'

/** Tells one stored credential from what it was before a change, and says nothing of what is in it. */
export const fingerprint = ({ credential }: { credential: string }) =>
  createHash('sha256').update(credential).digest('base64url')
