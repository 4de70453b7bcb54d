import type { RunStep, RunView } from '@switchroom/contract'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useSpeechSources } from '../../applications/speech-lists'
import { mayWrite } from '../../lib/access'
import { storageEntry } from '../../lib/storage-entry'
import { speak } from '../../speech/speech-trials'
import { useSpeechSample } from '../../speech/use-speech-sample'
import type { Hearing } from './hearing'
import { type Prompt, promptVoice } from './prompt-voice'

const remembered = storageEntry<boolean>(() => localStorage, 'speak-prompts')

/** Speaks prompts with the account's speech services, one at a time: on request, or as they come. */
export function useHearing(run: RunView) {
  const { steps } = run
  const sources = useSpeechSources(run.account_sid ?? '', mayWrite())
  const { owner, credentials, account_sid, isLoaded } = sources
  const sample = useSpeechSample()
  const { heard, load, stop: unload } = sample
  const [speaksAll, setSpeaksAll] = useState(() => remembered.read() ?? false)
  const waiting = useRef<number[]>([])
  const seen = useRef(steps.length)
  // both are made anew, and nothing is to be made anew by them
  const latest = useRef({ steps, owner })
  useLayoutEffect(() => {
    latest.current = { steps, owner }
  })

  const voiceOf = useCallback(
    (prompt: Prompt) => promptVoice(prompt, credentials, account_sid),
    [credentials, account_sid],
  )
  const begin = useCallback(
    (index: number) => {
      const { steps, owner } = latest.current
      const step = steps[index]
      if (step?.kind !== 'said') return
      const voice = voiceOf(step)
      if ('problem' in voice) return
      void load(String(index), () => speak(owner, voice.speech_credential_sid, voice.sentence))
    },
    [voiceOf, load],
  )
  const stop = useCallback(() => {
    waiting.current = []
    unload()
  }, [unload])
  const play = useCallback(
    (index: number) => {
      waiting.current = []
      begin(index)
    },
    [begin],
  )
  const next = () => {
    const index = waiting.current.shift()
    if (index === undefined) unload()
    else begin(index)
  }

  const isIdle = heard === undefined || heard.state === 'failed'
  useEffect(() => {
    const from = seen.current
    if (!isLoaded || !speaksAll) {
      seen.current = steps.length
      return
    }
    if (steps.length <= from) return
    seen.current = steps.length
    waiting.current.push(...heardIn(steps, from, voiceOf))
    const index = isIdle ? waiting.current.shift() : undefined
    if (index !== undefined) begin(index)
  }, [steps, speaksAll, isLoaded, isIdle, begin, voiceOf])

  const current = heard && heard.state !== 'failed' ? Number(heard.of) : undefined
  const isLoading = heard?.state === 'loading'
  const hearing = useMemo(
    (): Hearing | undefined =>
      isLoaded && mayWrite() ? { current, isLoading, voiceOf, play, stop } : undefined,
    [isLoaded, current, isLoading, voiceOf, play, stop],
  )
  return {
    hearing,
    heard,
    broken: sample.broken,
    next,
    problem: sources.problem,
    speaksAll,
    setSpeaksAll: (is: boolean) => {
      remembered.set(is)
      setSpeaksAll(is)
      if (!is) stop()
    },
  }
}

/** The prompts from a step on that can be heard. */
const heardIn = (
  steps: readonly RunStep[],
  from: number,
  voiceOf: (prompt: Prompt) => object,
): number[] =>
  steps.flatMap((step, index) =>
    index >= from && step.kind === 'said' && !('problem' in voiceOf(step)) ? [index] : [],
  )
