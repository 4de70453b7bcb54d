import { t } from '@switchroom/contract'

/** Parts of a kind that have endpoints of their own as well. */
export const PARTS: Record<string, string> = {
  sipGateways: 'voip-carriers',
  smppGateways: 'voip-carriers',
  lcrRoutes: 'lcrs',
  lcrCarrierSetEntries: 'lcrs',
  limits: 'accounts',
}

/** Resources that can be created or set but are in no file, with the reason. */
export const EXCUSES: Record<string, { title: string; why: string }> = {
  users: {
    title: t('Users'),
    why: t(
      'people are added by invitation, a directory or single sign-on; a file would hold passwords',
    ),
  },
  programs: {
    title: t('Programs'),
    why: t('of the server, not of an owner'),
  },
  directories: {
    title: t('Directories'),
    why: t('their token is shown once, to whoever makes them'),
  },
  savedViews: {
    title: t('Saved views'),
    why: t('of the person who saved them'),
  },
  settings: {
    title: t('Server settings'),
    why: t('of the server, not of an owner'),
  },
  singleSignOn: {
    title: t('Single sign-on'),
    why: t('of the server, not of an owner'),
  },
  signallingAddresses: {
    title: t('Signalling addresses'),
    why: t('of the server; its components announce themselves'),
  },
  subscriptions: {
    title: t('Subscriptions'),
    why: t('a purchase'),
  },
  apiKeys: {
    title: t('API keys'),
    why: t('their token is shown once, to whoever makes them'),
  },
  modelSessions: {
    title: t('Model sessions'),
    why: t('their secret is shown once, to whoever makes it'),
  },
  languageModel: {
    title: t('Language model'),
    why: t('an address and the key for it, which belong together'),
  },
  scoreCards: {
    title: t('Score card'),
    why: t('a budget for the language model of an account'),
  },
  eventSubscriptions: {
    title: t('Event webhooks'),
    why: t('their secret is shown once, to whoever makes them'),
  },
  customers: {
    title: t('Customers'),
    why: t('an account with its parts, each of which has a file'),
  },
  trunkReportLinks: {
    title: t('Links to trunk reports'),
    why: t('their token is shown once, to whoever makes them, and they end by themselves'),
  },
  customerReports: {
    title: t('Customers’ reports'),
    why: t('links and addresses of people, which are given and taken one by one'),
  },
  webhooks: {
    title: t('Webhooks'),
    why: t('parts of accounts, applications and providers'),
  },
  predefinedCarriers: {
    title: t('Carrier templates'),
    why: t('a template, of which a carrier is made'),
  },
  failures: {
    title: t('Failures'),
    why: t('what went wrong, which somebody marks'),
  },
  brands: {
    title: t('Brand'),
    why: t('logos are pictures'),
  },
}
