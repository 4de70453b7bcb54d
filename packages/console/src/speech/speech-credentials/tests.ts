import type { SpeechCredential, TestResult } from '@switchroom/contract'
import { useEffect, useRef, useState } from 'react'
import { queryClient, send } from '../../lib/api'
import { messageOf } from '../../lib/failure'
import { useSpeechApi } from './speech-api'

export type TestState = 'checking' | { result: TestResult } | { error: string }

// vendors may be slow, and more in parallel would keep other requests waiting
const CONCURRENCY = 3

/** Running and finished tests of this list, by the credential's sid. */
export function useTests() {
  const { trials, owner } = useSpeechApi()
  const [tested, setTested] = useState<Record<string, TestState>>({})
  const unmounted = useRef(false)
  useEffect(() => {
    unmounted.current = false
    return () => {
      unmounted.current = true
    }
  }, [])
  const note = (sid: string, outcome: TestState) => setTested((all) => ({ ...all, [sid]: outcome }))

  async function one(sid: string) {
    note(sid, 'checking')
    try {
      const params = { ...owner, speech_credential_sid: sid }
      note(sid, { result: await send(trials.test, { params, query: {} }) })
    } catch (e) {
      note(sid, { error: messageOf(e) })
    }
  }

  /** Tests all credentials, a few at a time, then refetches the stored results. */
  async function test(rows: readonly SpeechCredential[]) {
    const waiting = rows
      .map((r) => r.speech_credential_sid)
      .filter((sid) => tested[sid] !== 'checking')
    for (const sid of waiting) note(sid, 'checking')
    const take = async () => {
      for (let sid = waiting.shift(); sid && !unmounted.current; sid = waiting.shift())
        await one(sid)
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, take))
    await queryClient.invalidateQueries()
  }
  return { tested, test, busy: Object.values(tested).includes('checking') }
}
