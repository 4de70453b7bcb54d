import { NEIGHBOUR } from '../neighbour.ts'
import type { Database } from './database.ts'
import { hashPassword } from './secrets.ts'

/** Seeds a fresh installation with an administrator of a known password. */
export async function seed(db: Database, password: string) {
  const rows: [table: string, ...rows: Record<string, unknown>[]][] = [
    [
      'permissions',
      ...[
        ['ffbc342a-546a-11ed-bdc3-0242ac120002', 'VIEW_ONLY'],
        ['ffbc3a10-546a-11ed-bdc3-0242ac120002', 'PROVISION_SERVICES'],
        ['ffbc3c5e-546a-11ed-bdc3-0242ac120002', 'PROVISION_USERS'],
      ].map(([permission_sid, name]) => ({ permission_sid, name, description: name })),
    ],
    [
      'service_providers',
      { service_provider_sid: PROVIDER, name: 'default service provider' },
      NEIGHBOUR,
    ],
    [
      'accounts',
      {
        account_sid: ACCOUNT,
        service_provider_sid: PROVIDER,
        name: 'default account',
        webhook_secret: 'wh_secret_cJqgtMDPzDhhnjmaJH6Mtk',
      },
    ],
    ['webhooks', ...Object.values(HOOKS)],
    [
      'applications',
      ...(['hello-world', 'dial-time'] as const).map((name, i) => ({
        application_sid: APPLICATIONS[i],
        account_sid: ACCOUNT,
        name: name.replace('-', ' '),
        call_hook_sid: HOOKS[name].webhook_sid,
        call_status_hook_sid: HOOKS['call-status'].webhook_sid,
        speech_synthesis_voice: 'en-US-Wavenet-C',
      })),
    ],
    [
      'users',
      {
        user_sid: '12c80508-edf9-4b22-8d09-55abd02648eb',
        name: 'admin',
        email: 'joe@foo.bar',
        provider: 'local',
        email_validated: 1,
        hashed_password: hashPassword(password),
      },
    ],
    ['predefined_carriers', ...TEMPLATES.map(({ gateways: _, ...template }) => template)],
    [
      'predefined_sip_gateways',
      ...TEMPLATES.flatMap(({ predefined_carrier_sid, gateways }) =>
        gateways.map(([ipv4, netmask, inbound], i) => ({
          predefined_sip_gateway_sid: predefined_carrier_sid.replace(/..$/, `0${i}`),
          predefined_carrier_sid,
          ipv4,
          netmask,
          inbound: inbound ? 1 : 0,
          outbound: inbound ? 0 : 1,
        })),
      ),
    ],
    ['sbc_addresses', { sbc_address_sid: PROVIDER, ipv4: '198.51.100.20', port: 5060 }],
  ]
  for (const [table, ...values] of rows)
    for (const value of values) await db.rows('INSERT INTO ?? SET ?', [table, value])
}

const PROVIDER = '2708b1b3-2736-40ea-b502-c53d8396247f'
const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const APPLICATIONS = [
  '7087fe50-8acb-4f3b-b820-97b573723aab',
  '4ca2fb6a-8636-4f2e-96ff-8966c5e26f8e',
]
const hook = (webhook_sid: string, name: string) => ({
  webhook_sid,
  url: `https://public-apps.jambonz.cloud/${name}`,
  method: 'POST',
})
const HOOKS = {
  'call-status': hook('84e3db00-b172-4e46-b54b-a503fdb19e4a', 'call-status'),
  'hello-world': hook('d31568d0-b193-4a05-8ff6-778369bc6efe', 'hello-world'),
  'dial-time': hook('81844b05-714d-4295-8bf3-3b0640a4bf02', 'dial-time'),
}
const TEMPLATES = [
  {
    predefined_carrier_sid: '7d509a18-bbff-4c5d-b21e-b99bf8f8c49a',
    name: 'Twilio',
    e164_leading_plus: 1,
    register_username: 'your-twilio-credential-username',
    register_password: 'your-twilio-credential-password',
    gateways: [
      ['54.172.60.0', 30, true],
      ['placeholder-domain.pstn.twilio.com', 32, false],
    ] as const,
  },
  {
    predefined_carrier_sid: 'e6fb301a-1af0-4fb8-a1f6-f65530c6e1c6',
    name: 'Simwood',
    e164_leading_plus: 1,
    register_username: 'your-simwood-auth-trunk-username',
    register_password: 'your-simwood-auth-trunk-password',
    gateways: [
      ['178.22.139.77', 32, true],
      ['out.simwood.com', 32, false],
    ] as const,
  },
]
