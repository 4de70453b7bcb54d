import { createContext } from 'react'
import { oneValue } from './one-value'

/** The time in the call that is looked at, in milliseconds since 1970 by the trace’s clock. */
export const cursorStore = () => oneValue<number>()
export type Cursor = ReturnType<typeof cursorStore>

/** What was said and the time axis show the same time, and go on from it. */
export const CursorContext = createContext(cursorStore())
