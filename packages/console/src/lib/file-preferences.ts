import type { FileOptions, Preferences } from '@switchroom/contract'
import { timeZone } from '../ui/time-zone'

type FilePreferences = Pick<Preferences, 'file_separator' | 'file_times'>

const KEYS = { file_separator: 'file-separator', file_times: 'file-times' } as const

const chosen = <K extends keyof FilePreferences>(name: K) =>
  localStorage.getItem(KEYS[name]) as FilePreferences[K]

/** How this person wants exported files, by this browser's copy of the preferences. */
export const filePreferences = (): FilePreferences => ({
  file_separator: chosen('file_separator'),
  file_times: chosen('file_times'),
})

export function storeFilePreferences(change: Partial<FilePreferences>) {
  for (const name of ['file_separator', 'file_times'] as const) {
    const value = change[name]
    if (value === null) localStorage.removeItem(KEYS[name])
    else if (value !== undefined) localStorage.setItem(KEYS[name], value)
  }
}

/** The same as a request asks for it. */
export function fileOptions(): FileOptions {
  const { file_separator, file_times } = filePreferences()
  return {
    ...(file_separator && { separator: file_separator }),
    ...(file_times === 'own' && { time_zone: timeZone() }),
  }
}
