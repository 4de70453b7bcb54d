import { createContext } from 'react'
import type { Prompt, PromptVoice } from './prompt-voice'

/** What rows need to be heard. */
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
