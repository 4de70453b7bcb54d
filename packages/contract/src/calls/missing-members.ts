/** Members that a call can be without. */
export const MISSING_MEMBERS = ['trunk', 'account_sid', 'application_sid', 'sip_status'] as const
