import type { SpeechCredential, TestResult } from '@switchroom/contract'
import { useEffect, useRef, useState } from 'react'
import { queryClient, send } from '../../lib/api'
import { capabilities } from '../../lib/capabilities'
import { messageOf } from '../../lib/failure'
import { type SpeechApi, useSpeechApi } from './speech-api'

export type Tested = 'checking' | { result: TestResult } | { error: string }

// a vendor may take its time; more at once would keep other calls waiting
const AT_ONCE = 3

/** Tests that were asked for here, by the sid of what they test. */
export function useTests() {
  const { trials, owner } = useSpeechApi()
  const [tested, setTested] = useState<Record<string, Tested>>({})
  const unmounted = useRef(false)
  useEffect(() => {
    unmounted.current = false
    return () => {
      unmounted.current = true
    }
  }, [])
  const note = (sid: string, outcome: Tested) => setTested((all) => ({ ...all, [sid]: outcome }))

  async function one(sid: string) {
    note(sid, 'checking')
    try {
      const params = { ...owner, speech_credential_sid: sid }
      note(sid, { result: await send(trials.test, { params, query: {} }) })
    } catch (e) {
      note(sid, { error: messageOf(e) })
    }
  }

  /** One after the other, a few at a time; what is remembered is then read anew. */
  async function test(rows: readonly SpeechCredential[]) {
    const waiting = rows
      .map((r) => r.speech_credential_sid)
      .filter((sid) => tested[sid] !== 'checking')
    for (const sid of waiting) note(sid, 'checking')
    const take = async () => {
      for (let sid = waiting.shift(); sid && !unmounted.current; sid = waiting.shift())
        await one(sid)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, take))
    await queryClient.invalidateQueries()
  }
  return { tested, test, busy: Object.values(tested).includes('checking') }
}

/**
 * Asks the vendor about a credential that was just added, and lists then show the answer: of some
 * vendors the platform leaves one aside until it has passed. Where a test is not free nothing is asked.
 */
export async function testNew({ trials, owner }: SpeechApi, speech_credential_sid: string) {
  if (!(await capabilities())) return
  // without an answer, its row says that it is not tested
  const params = { ...owner, speech_credential_sid }
  await send(trials.test, { params, query: {} }).catch(() => undefined)
  await queryClient.invalidateQueries()
}
