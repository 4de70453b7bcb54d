import { z } from 'zod'
import { Flag, FlagIn, Int, NoContent, TextOrNull } from '../wire/common.ts'
import { endpoints, removes } from '../wire/endpoint.ts'
import { Integer, StringOrNull } from '../wire/fields.ts'
import { t } from '../wire/text.ts'

export const LOG_LEVELS = ['info', 'debug'] as const

export const SystemInformation = z.object({
  domain_name: StringOrNull,
  sip_domain_name: StringOrNull,
  monitoring_domain_name: StringOrNull,
  private_network_cidr: StringOrNull,
  log_level: StringOrNull,
})
export type SystemInformation = z.infer<typeof SystemInformation>

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const CIDR = new RegExp(`^(?:${octet}\\.){3}${octet}(?:/(?:3[0-2]|[12]?\\d))?$`)

/** The first entry of a comma-separated list that is not an IPv4 address or CIDR range. */
export const findInvalidCidr = (list: string): string | undefined =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .find((entry) => !CIDR.test(entry))

export const SystemInformationIn = z.object({
  domain_name: TextOrNull(255).optional(),
  sip_domain_name: TextOrNull(255).optional(),
  monitoring_domain_name: TextOrNull(255).optional(),
  // stored as written, empty too, because platform clients compare it with what they sent
  private_network_cidr: z
    .string()
    .max(8192)
    .nullable()
    .superRefine((list, ctx) => {
      const bad = list?.trim() ? findInvalidCidr(list) : undefined
      if (bad !== undefined)
        ctx.addIssue({
          code: 'custom',
          message: t('Invalid private network CIDR "{bad}"', { bad }),
        })
    })
    .optional(),
  log_level: z.enum(LOG_LEVELS).optional(),
})

export const PasswordSettings = z.object({
  min_password_length: z.number(),
  require_digit: Flag,
  require_special_character: Flag,
  /** `refuse` if passwords that are easy to guess are refused as well. */
  weak_passwords: z.enum(['refuse', 'allow']),
})
export type PasswordSettings = z.infer<typeof PasswordSettings>

/** Those that are offered. Shorter ones, down to the default of 6, are taken back as they were read. */
export const MIN_PASSWORD_LENGTHS = Array.from({ length: 13 }, (_, i) => i + 8)

export const PasswordSettingsIn = z.object({
  min_password_length: Int(0, 1000)
    .refine((n) => n === 0 || (n >= 6 && n <= 20), {
      error: t('Minimum password length must be between 6 and 20'),
      params: { msg: t('invalid min_password_length property: should be between 8-20') },
    })
    .nullish()
    // 0 and null keep the stored length, as on the platform
    .transform((n) => n || undefined),
  require_digit: FlagIn.optional(),
  require_special_character: FlagIn.optional(),
})

const information = { path: '/SystemInformation', access: 'admin' } as const
const cache = { path: '/TtsCache', access: 'admin' } as const

export const settings = endpoints({
  systemInformation: {
    ...information,
    method: 'GET',
    summary: 'Get the platform settings',
    response: SystemInformation.partial(),
  },
  saveSystemInformation: {
    ...information,
    method: 'POST',
    idempotent: true,
    summary: 'Update the platform settings',
    body: SystemInformationIn,
    status: 201,
    response: SystemInformation,
  },
  passwordSettings: {
    path: '/PasswordSettings',
    access: 'account',
    method: 'GET',
    summary: 'Get the password rules',
    beforePasswordChange: true,
    response: PasswordSettings,
  },
  savePasswordSettings: {
    path: '/PasswordSettings',
    access: 'admin',
    method: 'POST',
    idempotent: true,
    summary: 'Update the password rules',
    body: PasswordSettingsIn,
    status: 201,
    response: z.object({}),
  },
  savePasswordSettingsByPut: {
    path: '/PasswordSettings',
    access: 'admin',
    method: 'PUT',
    summary: 'Update the password rules (as the specification has it too)',
    body: PasswordSettingsIn,
    status: 204,
    response: NoContent,
  },
  ttsCache: {
    ...cache,
    method: 'GET',
    summary: 'Count cached TTS prompts',
    response: z.object({ size: Integer }),
  },
  clearTtsCache: { ...cache, ...removes, summary: 'Clear the TTS cache' },
})
