import type { Random } from '../random.ts'

export type Attributes = Record<string, string | number | boolean>
/** Times are milliseconds from the start of the call. */
export type Span = {
  id: string
  parent: string | undefined
  name: string
  start: number
  end: number
  attributes: Attributes
}

/** The spans of a call, as the feature server makes them. */
export class TraceBuilder {
  readonly spans: Span[] = []
  #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  /** Adds a span. Its id is for those below it. */
  add(
    name: string,
    parent: string | undefined,
    start: number,
    end: number,
    attributes: Attributes = {},
  ) {
    const id = this.#random.hex(16)
    this.spans.push({ id, parent, name, start, end, attributes })
    return id
  }
}
