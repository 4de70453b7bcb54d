import { t } from '../wire/text.ts'

export const TRUNK_TYPES = ['static_ip', 'auth', 'reg'] as const
export const DTMF_TYPES = ['rfc2833', 'tones', 'info'] as const

export const NEEDS_GATEWAY = t('You must provide at least one SIP Gateway.')
