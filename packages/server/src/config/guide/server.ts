import type { Section } from './section.ts'

export const server = {
  title: 'Server',
  variables: {
    HTTP_HOST: 'Address to listen on. `0.0.0.0`: all of IPv4.',
    HTTP_PORT: 'Port to listen on. 0: any free port.',
    SWITCHROOM_DATA: 'Folder for the embedded database, generated secrets and call data.',
    SWITCHROOM_ADMIN_PASSWORD: {
      unset: 'generated',
      isSecret: true,
      about:
        'First password of `admin`. If set, `admin` need not change it. One that is easy to guess only causes a warning.',
    },
    JAMBONZ_BASE_URL: {
      unset: 'the listening address',
      about: 'Where people reach the console, for links in emails, passkeys and single sign-on.',
    },
    JAMBONES_TRUST_PROXY: 'How many proxies are in front. Needed for callers’ real addresses.',
    SWITCHROOM_ALLOW_NETWORKS: {
      values: 'CIDRs, comma-separated',
      about:
        'Internal networks that requests to users’ addresses (webhooks, buckets, speech vendors) may reach.',
    },
    SWITCHROOM_PLATFORM_VERSION: {
      values: 'such as `10.3.0`',
      unset: 'as the traces of its feature servers say, else 0.9.8',
      about: 'Version of the platform, whose rules for applications hold in *Try it* and checks.',
    },
    SWITCHROOM_MCP: {
      values: '`1` or `true`',
      unset: 'off',
      about:
        'Serves agents at `/mcp` by the Model Context Protocol. See [Programs and scripts](programs.md#agents).',
    },
    SWITCHROOM_PROGRAMS:
      'Which programs people may connect by OAuth: those that an administrator lists, also those that publish a client ID metadata document, or any that registers itself. See [Programs and scripts](programs.md#connect-a-program).',
    SWITCHROOM_DRAIN_SECONDS:
      'After SIGTERM, how long the server still answers while `/ready` says 503, so that a load balancer stops sending requests.',
    JAMBONES_LOGLEVEL: 'Which lines are logged.',
    SMTP_URL: {
      values: '`smtp://` or `smtps://` URL',
      unset: 'off',
      isSecret: true,
      about: 'SMTP server for email, with the credentials in the URL.',
    },
    SMTP_FROM: {
      values: 'text',
      unset: '`no-reply` at Mailgun’s domain or `localhost`',
      about: 'Sender of emails, however they are sent.',
    },
    CUSTOM_EMAIL_VENDOR_URL: {
      unset: 'off',
      isSecret: true,
      about:
        'Without `SMTP_URL`, emails are posted there as JSON: `from`, `to`, `subject` and `text`.',
    },
    CUSTOM_EMAIL_VENDOR_USERNAME: 'Username there, for HTTP Basic authentication.',
    CUSTOM_EMAIL_VENDOR_PASSWORD: { isSecret: true, about: 'Password of that user.' },
    MAILGUN_API_KEY: {
      unset: 'off',
      isSecret: true,
      about: 'Without the two above, emails go through Mailgun. Goes together with the domain.',
    },
    MAILGUN_DOMAIN: { values: 'domain', about: 'The domain at Mailgun that sends.' },
    MAILGUN_URL: 'Mailgun’s API. In Europe: `https://api.eu.mailgun.net`.',
    NODE_ENV: '`development` writes emails to the log when none of these is set.',
  },
} satisfies Section

export const monitoring = {
  title: 'Monitoring',
  intro: 'With neither token nor networks, everyone may read `/metrics`.',
  variables: {
    SWITCHROOM_METRICS_TOKEN: { isSecret: true, about: 'Bearer token for `/metrics`.' },
    SWITCHROOM_METRICS_NETWORKS: {
      values: 'CIDRs, comma-separated',
      about: 'Networks that may read `/metrics` without a token.',
    },
    OTEL_EXPORTER_OTLP_ENDPOINT: {
      unset: 'off',
      about:
        'OpenTelemetry collector (OTLP over HTTP), such as `http://collector:4318`, for this server’s own traces.',
    },
    OTEL_EXPORTER_OTLP_HEADERS: {
      values: '`name=value`, comma-separated',
      isSecret: true,
      about: 'Headers for the collector.',
    },
    OTEL_SERVICE_NAME: 'Name of this server in its traces.',
    OTEL_TRACES_SAMPLER_ARG:
      'Share of requests that are traced, where their caller has not decided.',
  },
} satisfies Section
