import { randomUUID } from 'node:crypto'
import { webhookSecret } from '@switchroom/contract'
import { hashPassword } from '../secrets/passwords.ts'
import type { Db } from './open.ts'
import { transaction } from './transaction.ts'

const PERMISSIONS = [
  {
    permission_sid: 'ffbc342a-546a-11ed-bdc3-0242ac120002',
    name: 'VIEW_ONLY',
    description: 'Can view data but not make changes',
  },
  {
    permission_sid: 'ffbc3a10-546a-11ed-bdc3-0242ac120002',
    name: 'PROVISION_SERVICES',
    description: 'Can provision services',
  },
  {
    permission_sid: 'ffbc3c5e-546a-11ed-bdc3-0242ac120002',
    name: 'PROVISION_USERS',
    description: 'Can provision users',
  },
]

const DEFAULT_SERVICE_PROVIDER = '2708b1b3-2736-40ea-b502-c53d8396247f'
/** The name that the first start gives the service provider. */
export const DEFAULT_PROVIDER_NAME = 'default service provider'
/** The name that the first start gives the account. */
export const DEFAULT_ACCOUNT_NAME = 'default account'
const DEFAULT_ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'

const PRODUCTS = [
  {
    product_sid: 'c4403cdb-8e75-4b27-9726-7d8315e3216d',
    name: 'concurrent call session',
    category: 'voice_call_session',
  },
  {
    product_sid: '2c815913-5c26-4004-b748-183b459329df',
    name: 'registered device',
    category: 'device',
  },
  {
    product_sid: '35a9fb10-233d-4eb9-aada-78de5814d680',
    name: 'api call',
    category: 'api_rate',
  },
] as const

const registers = { register_username: '<your-username>', register_password: '<your-password>' }
const nothing = {
  register_username: null,
  register_password: null,
  inbound_auth_username: null,
  inbound_auth_password: null,
  tech_prefix: null,
  diversion: null,
  e164_leading_plus: 1,
  trunk_type: 'static_ip',
} as const

const CARRIERS = [
  {
    ...nothing,
    predefined_carrier_sid: '17479288-bb9f-421a-89d1-f4ac57af1dca',
    name: 'TelecomsXChange',
    e164_leading_plus: 0,
    tech_prefix: 'your-tech-prefix',
  },
  {
    ...nothing,
    predefined_carrier_sid: '7d509a18-bbff-4c5d-b21e-b99bf8f8c49a',
    name: 'Twilio',
    ...registers,
  },
  {
    ...nothing,
    predefined_carrier_sid: '032d90d5-39e8-41c0-b807-9c88cffba65c',
    name: 'Voxbone',
    ...registers,
    diversion: '<your-diversion-number>',
  },
  {
    ...nothing,
    predefined_carrier_sid: 'e6fb301a-1af0-4fb8-a1f6-f65530c6e1c6',
    name: 'Simwood',
    ...registers,
  },
  {
    ...nothing,
    predefined_carrier_sid: '541ef8ec-0524-4a1d-b9c4-2a672764992e',
    name: 'Retell',
    inbound_auth_username: '<your-username>',
    inbound_auth_password: '<your-password>',
    trunk_type: 'auth',
  },
] as const

/** Each carrier's source addresses and target host. */
const GATEWAYS: Record<(typeof CARRIERS)[number]['name'], { in: string[]; out: string }> = {
  TelecomsXChange: { in: ['174.136.44.213/32'], out: 'sip01.TelecomsXChange.com' },
  Twilio: {
    in: [
      '54.172.60.0/30',
      '54.244.51.0/30',
      '54.171.127.192/30',
      '35.156.191.128/30',
      '54.65.63.192/30',
      '54.252.254.64/30',
      '54.169.127.128/30',
      '177.71.206.192/30',
      '168.86.128.0/18',
    ],
    out: 'placeholder-domain.pstn.twilio.com',
  },
  Voxbone: {
    in: [
      '81.201.83.45/32',
      '81.201.86.45/32',
      '81.201.82.45/32',
      '81.201.85.45/32',
      '81.201.84.45/32',
      '185.47.148.45/32',
    ],
    out: 'outbound.voxbone.com',
  },
  Simwood: {
    in: [
      '178.22.139.77/32',
      '185.63.140.77/32',
      '185.63.142.77/32',
      '172.86.225.77/32',
      '172.86.225.88/32',
    ],
    out: 'out.simwood.com',
  },
  Retell: { in: [], out: 'sip.retellai.com' },
}

const sipGateways = () =>
  CARRIERS.flatMap(({ predefined_carrier_sid, name }) =>
    [...GATEWAYS[name].in, GATEWAYS[name].out].map((address) => {
      const [ipv4 = '', netmask] = address.split('/')
      const inbound = netmask ? (1 as const) : (0 as const)
      return {
        predefined_sip_gateway_sid: randomUUID(),
        predefined_carrier_sid,
        ipv4,
        netmask: Number(netmask ?? 32),
        inbound,
        outbound: inbound ? (0 as const) : (1 as const),
      }
    }),
  )

const smppGateways = () =>
  [
    { ipv4: 'smpp01.telecomsxchange.com', port: 2776, inbound: 0, outbound: 1 } as const,
    { ipv4: '174.136.44.11', port: 2775, inbound: 1, outbound: 0 } as const,
    { ipv4: '174.136.44.213', port: 2775, inbound: 1, outbound: 0 } as const,
  ].map((gateway) => ({
    ...gateway,
    predefined_smpp_gateway_sid: randomUUID(),
    predefined_carrier_sid: CARRIERS[0].predefined_carrier_sid,
  }))

/**
 * Inserts the first rows of a new database; run in a transaction. Adds no user and no key, so no well-known
 * credential works.
 */
export async function seed(tx: Db) {
  await tx.insertInto('permissions').values(PERMISSIONS).execute()
  await tx.insertInto('products').values(PRODUCTS).execute()
  await tx.insertInto('predefined_carriers').values(CARRIERS).execute()
  await tx.insertInto('predefined_sip_gateways').values(sipGateways()).execute()
  await tx.insertInto('predefined_smpp_gateways').values(smppGateways()).execute()
  await tx
    .insertInto('service_providers')
    .values({
      service_provider_sid: DEFAULT_SERVICE_PROVIDER,
      name: DEFAULT_PROVIDER_NAME,
    })
    .execute()
  await tx
    .insertInto('accounts')
    .values({
      account_sid: DEFAULT_ACCOUNT,
      service_provider_sid: DEFAULT_SERVICE_PROVIDER,
      name: DEFAULT_ACCOUNT_NAME,
      webhook_secret: webhookSecret(),
    })
    .execute()
  await tx
    .insertInto('password_settings')
    .values({ min_password_length: 8, require_digit: 0, require_special_character: 0 })
    .execute()
  await tx.insertInto('schema_version').values({ version: '0.9.6' }).execute()
}

type FirstUser = {
  password: string
  forceChange: boolean
  /** Called once the user is certain to be created, before it is. */
  announce?: () => void
}

/**
 * Creates the first user. Resolves to false when there are users, so every start may call it, also after a
 * crash during setup.
 */
export async function seedAdministrator(
  db: Db,
  { password, forceChange, announce }: FirstUser,
): Promise<boolean> {
  const anyUser = (on: Db) => on.selectFrom('users').select('user_sid').limit(1).executeTakeFirst()
  if (await anyUser(db)) return false
  const hashed_password = await hashPassword(password)
  const seedOne = async (tx: Db) => {
    if (await anyUser(tx)) return false
    announce?.()
    const user_sid = randomUUID()
    await tx
      .insertInto('users')
      .values({
        user_sid,
        name: 'admin',
        email: 'admin@localhost',
        provider: 'local',
        email_validated: 1,
        force_change: forceChange ? 1 : 0,
        hashed_password,
      })
      .execute()
    // all three permissions, as the platform does: one alone may mean view-only
    await tx
      .insertInto('user_permissions')
      .values(
        PERMISSIONS.map(({ permission_sid }) => ({
          user_permissions_sid: randomUUID(),
          user_sid,
          permission_sid,
        })),
      )
      .execute()
    return true
  }
  return transaction(db, seedOne, { lock: 'administrator' })
}
