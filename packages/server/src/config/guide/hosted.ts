import type { Section } from './section.ts'

export const hosted = {
  title: 'Hosted variant',
  intro: 'See [Hosted variant](hosted.md).',
  variables: {
    ENABLE_HOSTED_SYSTEM: 'Turns the hosted variant on.',
    JAMBONES_HOSTING: 'Other spelling of `ENABLE_HOSTED_SYSTEM`.',
    DEFAULT_SERVICE_PROVIDER_SID: {
      unset: 'the only one',
      about: 'The service provider that new accounts belong to.',
    },
    SWITCHROOM_INVITE_ONLY: 'Sign-up needs a code from `POST /BetaInviteCodes`.',
    SWITCHROOM_TERMS_URL: 'Terms that people accept when they sign up.',
    SWITCHROOM_PRIVACY_URL: 'Privacy policy that people accept likewise.',
    GOOGLE_CLIENT_ID: { unset: 'off', about: 'Login with Google.' },
    GOOGLE_OAUTH_CLIENT_SECRET: { isSecret: true, about: 'Required with the client ID.' },
    SWITCHROOM_GOOGLE_ISSUER: 'Another OpenID provider in Google’s place.',
    GITHUB_CLIENT_ID: { unset: 'off', about: 'Login with GitHub.' },
    GITHUB_CLIENT_SECRET: { isSecret: true, about: 'Required with the client ID.' },
    SWITCHROOM_GITHUB_URL: 'Your own GitHub server.',
    SWITCHROOM_GITHUB_API_URL: 'Its API.',
    DME_API_KEY: {
      unset: 'off',
      isSecret: true,
      about: 'DNS Made Easy, for the records of SIP realms.',
    },
    DME_API_SECRET: { isSecret: true, about: 'Required with the key.' },
    DME_BASE_URL: 'Where its API is.',
    STRIPE_API_KEY: { unset: 'off', isSecret: true, about: 'Card payments.' },
    STRIPE_WEBHOOK_SECRET: { isSecret: true, about: 'Required with the API key.' },
    STRIPE_PUBLISHABLE_KEY: {
      values: '`pk_…`',
      about: 'Required with the API key. Browsers see it.',
    },
    STRIPE_BASE_URL: 'Where Stripe’s API is.',
  },
} satisfies Section
