let pending: string | undefined

/** To be said by the frame on the next screen: whoever turns somebody away has no screen to say it on. */
export const leaveNotice = (text: string) => {
  pending = text
}

export function takeNotice() {
  const text = pending
  pending = undefined
  return text
}
