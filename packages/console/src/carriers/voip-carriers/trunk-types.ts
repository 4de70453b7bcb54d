import { TRUNK_TYPES } from '@switchroom/contract'
import { oneOf } from '../../lib/list-search'

export type TrunkType = (typeof TRUNK_TYPES)[number]

export const trunkTypeOf = (text: string) => oneOf(TRUNK_TYPES, text)

export const TRUNKS: { value: TrunkType; label: string }[] = [
  { value: 'static_ip', label: 'IP Trunk' },
  { value: 'auth', label: 'Auth Trunk' },
  { value: 'reg', label: 'Registration Trunk' },
]
export const trunkLabel = (type: string) => TRUNKS.find((t) => t.value === type)?.label ?? type
