let pending: string | undefined

/** A notice for the next screen, shown by the frame: for redirects, which have no screen of their own. */
export const setNotice = (text: string) => {
  pending = text
}

export function takeNotice() {
  const text = pending
  pending = undefined
  return text
}
