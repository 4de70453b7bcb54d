import { TRUNK_TYPES, t } from '@switchroom/contract'
import { oneOf } from '../../lib/list-search'

export type TrunkType = (typeof TRUNK_TYPES)[number]

export const trunkTypeOf = (text: string) => oneOf(TRUNK_TYPES, text)

export const TRUNKS: { value: TrunkType; label: string }[] = [
  { value: 'static_ip', label: t('IP Trunk') },
  { value: 'auth', label: t('Auth Trunk') },
  { value: 'reg', label: t('Registration Trunk') },
]
export const trunkLabel = (type: string) => TRUNKS.find((t) => t.value === type)?.label ?? type
