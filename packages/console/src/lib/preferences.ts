import { isTimeZone, LOCAL_TIME, type Preferences, t } from '@switchroom/contract'
import { setTheme } from '../ui/theme'
import { chooseTimeZone, chosenTimeZone } from '../ui/time-zone'
import { toastError } from '../ui/toast'
import { send } from './api'
import { capabilities } from './capabilities'
import { preferences } from './endpoints'
import { messageOf } from './failure'
import { FILE_KEYS, type FilePreferences } from './file-preferences'
import { bringListBack, isShown, putListAway } from './getting-started-shown'
import { storeLanguage } from './language'
import { tellPreferencesChanged } from './preferences-changed'

// Our own server keeps a person's preferences. This browser has a copy, which is what screens read: none waits for the
// server. Another server keeps none, and the copy is all there is.

let changes = 0

function storeFilePreferences(change: Partial<FilePreferences>) {
  for (const name of ['file_separator', 'file_times'] as const) {
    const value = change[name]
    if (value === null) localStorage.removeItem(FILE_KEYS[name])
    else if (value !== undefined) localStorage.setItem(FILE_KEYS[name], value)
  }
}

/** Copies preferences that take effect immediately to this browser, which may lack a time zone of another one. */
function copy({ time_zone, theme, hides_getting_started: hides, ...rest }: Partial<Preferences>) {
  storeFilePreferences(rest)
  if (time_zone) {
    const zone = time_zone === LOCAL_TIME || !isTimeZone(time_zone) ? undefined : time_zone
    if (zone !== chosenTimeZone()) chooseTimeZone(zone)
  }
  if (theme) setTheme(theme)
  if (typeof hides === 'boolean' && hides === isShown()) hides ? putListAway() : bringListBack()
}

/** Resolves to true if saved. The page is then reloaded if the language changed. */
export async function save(change: Partial<Preferences>): Promise<boolean> {
  changes += 1
  copy(change)
  // the menu shows it
  if (change.hides_getting_started !== undefined) tellPreferencesChanged()
  try {
    if (await capabilities()) await send(preferences.update, { body: change })
  } catch (error) {
    toastError(t('Your preferences were not saved: {message}', { message: messageOf(error) }))
    return false
  }
  if (change.language !== undefined) {
    storeLanguage(change.language)
    location.reload()
  }
  return true
}

/** Takes over what came with a log-in, before anything is shown. */
export function takePreferences(kept: Preferences) {
  copy(kept)
  storeLanguage(kept.language)
}

/**
 * Takes over what the server has. Without an answer, the copy is as good as it was. Another language comes with the
 * next page load: nothing is loaded again under somebody's hands.
 */
export async function syncPreferences() {
  if (!(await capabilities())) return
  const before = changes
  const kept = await send(preferences.view, {})
  // a change that was made meanwhile is newer than the answer
  if (changes !== before) return
  const zone = chosenTimeZone()
  const shown = isShown()
  takePreferences(kept)
  if (zone !== chosenTimeZone() || shown !== isShown()) tellPreferencesChanged()
}

// another tab's choice
addEventListener('storage', ({ key, newValue }) => {
  if (key === 'theme') setTheme(newValue === 'light' || newValue === 'dark' ? newValue : 'system')
  if (key !== 'time-zone') return
  chooseTimeZone(newValue ?? undefined)
  tellPreferencesChanged()
})
