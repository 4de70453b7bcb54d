import type { Section } from './section.ts'

export const sessions = {
  title: 'Sessions and secrets',
  variables: {
    JWT_SECRET: {
      unset: 'generated',
      isSecret: true,
      about:
        'Signs sessions. At least 32 characters in a new installation, 12 on a running platform. Required with `JAMBONES_MYSQL_HOST`.',
    },
    ENCRYPTION_SECRET: {
      unset: '`JWT_SECRET`',
      isSecret: true,
      about: 'Encrypts stored credentials. Must match the platform’s components.',
    },
    LEGACY_CRYPTO: {
      values: 'any value',
      unset: 'off',
      about: 'Encrypt with the platform’s older cipher.',
    },
    JWT_EXPIRES_IN:
      'Minutes after which an unused session ends. The console renews a session while it is used.',
    SWITCHROOM_SESSION_HOURS:
      'Hours after which a session ends although it is used. At least `JWT_EXPIRES_IN`.',
    LOGIN_ATTEMPTS_MAX_RETRIES: 'Failed logins of a user from one network before a lockout there.',
    LOGIN_ATTEMPTS_TIME: 'Length of a lockout in seconds.',
    SWITCHROOM_LOGIN_FAILURES_PER_NETWORK:
      'Failed logins from one network, with any usernames, in `LOGIN_ATTEMPTS_TIME`, before it has to wait.',
  },
} satisfies Section

export const singleSignOn = {
  title: 'Single sign-on',
  intro:
    'Each of these sets a field of the screen **Single sign-on** and locks it there. Setting the issuer turns single sign-on on. See [Single sign-on](single-sign-on.md).',
  variables: {
    SWITCHROOM_SSO_ISSUER: { unset: 'off', about: 'Issuer of the OpenID Connect provider.' },
    SWITCHROOM_SSO_CLIENT_ID: 'This console’s client there.',
    SWITCHROOM_SSO_CLIENT_SECRET: {
      isSecret: true,
      about: 'Its secret. Without one it is a public client.',
    },
    SWITCHROOM_SSO_NAME: { unset: 'single sign-on', about: 'Name on the login button.' },
    SWITCHROOM_SSO_SCOPES: { unset: 'openid email profile', about: 'What is requested.' },
    SWITCHROOM_SSO_RULES: {
      values: 'JSON array',
      about:
        'Access rules. Each has `claim`, `operator` (`contains`, `equals`, `exists`), `value`, `scope` (`admin`, `service_provider`, `account`), `service_provider_sid`, `account_sid`, `is_view_only`.',
    },
    SWITCHROOM_SSO_DIRECTORY_CLAIM: {
      unset: 'sub',
      about: 'Claim that equals `externalId` in SCIM.',
    },
    SWITCHROOM_SSO_ENFORCED: {
      values: '`0`, `1`',
      about: '`1` turns passwords off, `0` turns them on again, whatever the screen says.',
    },
  },
} satisfies Section
