import { t } from '@switchroom/contract'
import { type KeyboardEvent, useState } from 'react'

/** Tells if Caps Lock was on at the last key press. */
export function useCapsLock() {
  const [on, setOn] = useState(false)
  const look = (e: KeyboardEvent) => setOn(e.getModifierState('CapsLock'))
  return {
    help: on ? t('CAPSLOCK is enabled!') : undefined,
    keys: { onKeyDown: look, onKeyUp: look },
  }
}
