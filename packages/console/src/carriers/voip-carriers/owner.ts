type Owner = { account_sid: string | null; service_provider_sid: string | null }

/** A carrier that neither a provider nor an account owns. Only administrators see it. */
export const isOwnerless = (carrier: Owner) => !carrier.account_sid && !carrier.service_provider_sid
