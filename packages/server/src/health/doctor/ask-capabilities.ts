import { membersOf } from '@switchroom/contract'

/** Asks who answers under this base URL. Throws as `fetch` does, also for the time limit. */
export async function askCapabilities(base: string, limit_ms: number) {
  const answer = await fetch(`${base}/api/v1/Capabilities`, {
    signal: AbortSignal.timeout(limit_ms),
  })
  const text = await answer.text()
  return { status: answer.status, isSwitchroom: isSwitchroom(text) }
}

function isSwitchroom(text: string) {
  try {
    return membersOf(JSON.parse(text)).product === 'switchroom'
  } catch {
    return false
  }
}
