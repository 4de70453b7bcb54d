import { t } from '@switchroom/contract'

/** The key that goes with letters. */
export const MOD = /Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘' : t('Ctrl')
