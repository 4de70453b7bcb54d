/** Input and output of a command: those of the process, or of a test. */
export type Terminal = {
  out: (text: string) => void
  err: (text: string) => void
  /** True if a person reads the output. */
  isTerminal: boolean
  columns: number
  env: Record<string, string | undefined>
  /** True if a person types the input. */
  isTyped: boolean
  /** Piped input. */
  stdin: () => ReadableStream<Uint8Array>
  /** Asks a person for a secret, which is not shown; or reads a line that is piped in. */
  secret: (question: string) => Promise<string>
  /** Asks a person, who sees what is typed. */
  answer: (question: string) => Promise<string>
  /** Opens an address in a browser; false if there is none. */
  browse: (url: string) => Promise<boolean>
  fetch: typeof fetch
  /** Waits between two readings of a watched command; false when that is to end. */
  pause: (ms: number) => Promise<boolean>
}

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] }
export type Style = (style: keyof typeof CODES, text: string) => string

/** Colours for people only: none in a pipe, nor with NO_COLOR. */
export const styleFor =
  (isColoured: boolean): Style =>
  (style, text) =>
    isColoured ? `\x1b[${CODES[style][0]}m${text}\x1b[${CODES[style][1]}m` : text
