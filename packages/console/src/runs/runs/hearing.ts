import { createContext } from 'react'
import type { Prompt, PromptVoice } from './prompt-voice'

/** Playback of prompts, shared with the rows of a run. */
export type Hearing = {
  /** The index of the step that is being heard, or loads. */
  current: number | undefined
  isLoading: boolean
  voiceOf: (prompt: Prompt) => PromptVoice
  play: (index: number) => void
  stop: () => void
}

/** Undefined where prompts cannot be heard: view-only users, and while speech services load. */
export const HearingContext = createContext<Hearing | undefined>(undefined)
