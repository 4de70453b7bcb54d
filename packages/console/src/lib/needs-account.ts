import { t } from '@switchroom/contract'

/** Issues of a form whose account has not been chosen. */
export const accountIssues = ({ account_sid }: { account_sid: string }) =>
  account_sid ? [] : [{ path: ['account_sid'], message: t('Choose an account') }]

/** Worded by the specification. */
export const NEEDS_ACCOUNT = {
  application: t('You must create an account before you can create an application.'),
  client: t('You must create an account before you can create a sip client.'),
  msTeamsTenant: t('You must create an account before you can create a Microsoft Teams Tenant.'),
  phoneNumber: t('You must create an account before you can create a phone number.'),
}
