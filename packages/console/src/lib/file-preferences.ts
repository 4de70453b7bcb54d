import type { Preferences } from '@switchroom/contract'

export type FilePreferences = Pick<Preferences, 'file_separator' | 'file_times'>

export const FILE_KEYS = { file_separator: 'file-separator', file_times: 'file-times' } as const

const chosen = <K extends keyof FilePreferences>(name: K) =>
  localStorage.getItem(FILE_KEYS[name]) as FilePreferences[K]

/** How this person wants exported files, by this browser's copy of the preferences. */
export const filePreferences = (): FilePreferences => ({
  file_separator: chosen('file_separator'),
  file_times: chosen('file_times'),
})
