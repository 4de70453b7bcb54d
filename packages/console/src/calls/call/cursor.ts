import { createContext } from 'react'
import { oneValue } from './one-value'

/** The time in the call that is looked at, in milliseconds since 1970 by the trace’s clock. */
export const cursorStore = () => oneValue<number>()
export type Cursor = ReturnType<typeof cursorStore>

/** Time in the call, shared by the conversation and the time axis. */
export const CursorContext = createContext(cursorStore())
