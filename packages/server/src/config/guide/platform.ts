import type { Section } from './section.ts'

/** Shared by the quotas. */
const QUOTA =
  'Beyond it nobody adds or moves any to the account, administrators included; what it has stays. `0` is no quota.'

export const platform = {
  title: 'Platform',
  variables: {
    JAMBONES_API_VERSION: 'Version in the paths of feature servers.',
    K8S: 'Use one Kubernetes service instead of the feature servers in Redis.',
    K8S_FEATURE_SERVER_SERVICE_NAME: 'That service. Required with `K8S`.',
    K8S_FEATURE_SERVER_SERVICE_PORT: 'Its port.',
    JAMBONES_MESSAGING: {
      values: 'JSON object',
      unset: 'off',
      isSecret: true,
      about: 'SMS carriers. See [Text messages](text-messages.md).',
    },
    RATE_LIMIT_WINDOWS_MINS: 'API rate limit: minutes.',
    RATE_LIMIT_MAX_PER_WINDOW: 'API rate limit: requests in those minutes.',
    RATE_LIMIT_BY: {
      unset: 'apikey',
      about:
        'Whose requests count together. `apikey`: those of a user or API key, and of a network for requests that prove neither. `ip`: those of a network. `system`: all.',
    },
    DISABLE_RATE_LIMITS: 'No rate limit.',
    JAMBONES_ADMIN_CARRIER:
      'Accounts may not add, change or delete carriers, nor add or delete phone numbers.',
    JAMBONZ_MIN_GATEWAY_NETMASK: { unset: '0', about: 'Smallest netmask of an inbound gateway.' },
    APPLY_JAMBONZ_DB_LIMITS: 'The platform’s limits on how much an account may create.',
    SWITCHROOM_WEAK_PASSWORDS:
      '`refuse`: passwords that are easy to guess are refused on top of the stored rules. `allow`: the stored rules alone decide, for scripts of a running platform.',
    SWITCHROOM_QUOTA_PHONE_NUMBERS: `How many phone numbers an account may have. ${QUOTA}`,
    SWITCHROOM_QUOTA_APPLICATIONS: `How many applications an account may have. ${QUOTA}`,
    SWITCHROOM_QUOTA_USERS: `How many users an account may have, those of directories and single sign-on included. ${QUOTA}`,
    SWITCHROOM_QUOTA_AUDIT_ENTRIES:
      'How many entries an account may have in the audit log of a day (UTC). Beyond it its own users and API keys change nothing until the next day but their own password and preferences; providers and administrators do. `0` is no quota.',
  },
} satisfies Section

export const consoleSettings = {
  title: 'Console',
  variables: {
    API_BASE_URL: {
      unset: 'this server',
      about: 'The API that the console calls, such as a stock API server.',
    },
    ENABLE_FORGOT_PASSWORD: 'Offer password reset by email.',
    ENABLE_ACCOUNT_LIMITS_ALL: 'Show all limits of an account, not just calls.',
    DISABLE_LCR: 'Hide outbound call routing.',
    DISABLE_JAEGER_TRACING: 'Hide traces and logs of calls.',
    DISABLE_CALL_RECORDING: 'Hide recordings and their settings.',
    DISABLE_CUSTOM_SPEECH: 'Hide custom speech vendors.',
    DISABLE_ADDITIONAL_SPEECH_VENDORS: 'Hide Speechmatics.',
    DISABLE_DEFAULT_TRUNK_ROUTING:
      'Only administrators may set a carrier’s default application. The API enforces it too.',
  },
} satisfies Section
