export const NEEDS_ACCOUNT = 'You must create an account before you can create a sip client.'
