const KEY = 'singleKeys'
const TAKES_KEYS =
  'input:not([type=checkbox]), textarea, select, [contenteditable], [role=combobox], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]'

/** Shortcuts of one character can be turned off, for people who speak to their computer (WCAG 2.1.4). */
export const singleKeysAreOn = () => localStorage.getItem(KEY) !== 'off'

export const setSingleKeys = (on: boolean) => localStorage.setItem(KEY, on ? 'on' : 'off')

/** True if nothing else takes the key: no field, popup or modifier, and no handler before. */
export const isFreeKey = (e: KeyboardEvent) =>
  !e.defaultPrevented &&
  !(e.ctrlKey || e.metaKey || e.altKey) &&
  !(e.target instanceof Element && e.target.closest(TAKES_KEYS))

/** A free key that is a single-character shortcut, if those are on. */
export const singleKey = (e: KeyboardEvent) =>
  isFreeKey(e) && e.key.length === 1 && singleKeysAreOn() ? e.key : undefined
