import type { ModelTokens, ModelTurn } from '@switchroom/contract'
import type { Part } from './parts.ts'

/** Time within which several events tell of one interruption, in milliseconds. */
const SAME_INTERRUPTION_MS = 2_000

export type Told = { at: number; parts: readonly Part[] }
export type Turns = {
  turns: ModelTurn[]
  vendor: string | null
  model: string | null
  tokens: ModelTokens | null
  /** Characters that the model said. */
  characters: number
  /** Characters that it said in each of these turns. */
  said: ReadonlyMap<ModelTurn, number>
}

const added = (a: ModelTokens | null, b: ModelTokens): ModelTokens => ({
  input: (a?.input ?? 0) + b.input,
  cached: (a?.cached ?? 0) + b.cached,
  output: (a?.output ?? 0) + b.output,
})

/** The turns of a call's model sessions from what their events tell, in order of arrival. */
export function turnsOf(told: readonly Told[]): Turns {
  const reader = new Reader()
  for (const { at, parts } of told) for (const part of parts) reader.read(part, at)
  return reader.result()
}

class Reader {
  #turns: ModelTurn[] = []
  #vendor: string | null = null
  #model: string | null = null
  #tokens: ModelTokens | null = null
  #said = new Map<ModelTurn, number>()
  #tools = new Map<string, ModelTurn>()
  #responses = new Map<string, ModelTurn>()
  /** When the caller began with words that have not come yet, by the vendor's name of them. */
  #spoken = new Map<string | undefined, number>()
  /** When the model began to speak; undefined while it does not. */
  #voice: number | undefined
  /** The model's words of which this voice is. */
  #voiced: ModelTurn | undefined
  #lastSaid: ModelTurn | undefined
  /** Words that come in pieces. */
  #open: ModelTurn | undefined
  #interruptedAt = -Infinity

  read(part: Part, at: number) {
    switch (part.kind) {
      case 'session':
        this.#vendor ??= part.vendor ?? null
        this.#model = part.model ?? this.#model
        return
      case 'words':
        return this.#words(part, at)
      case 'heard':
        if (this.#lastSaid) this.#lastSaid.text = part.text
        return
      case 'turn_over':
        this.#open = undefined
        return
      case 'speaking':
        return part.side === 'caller' ? this.#callerSpeaks(part, at) : this.#modelSpeaks(part, at)
      case 'interrupted':
        return this.#interrupted(at)
      case 'tool':
        return this.#tool(part, at)
      case 'tool_result': {
        const turn = this.#toolOf(part.id, at)
        turn.tool = { ...turn.tool!, result: part.text ?? turn.tool!.result }
        turn.tool.has_failed ||= part.has_failed
        // an echo of the result comes later than the result
        turn.end ??= at
        return
      }
      case 'usage':
        return this.#usage(part, at)
      case 'error':
        this.#add({ at, what: 'error', text: part.text })
        return
      case 'other':
        this.#add({ at, what: 'other', text: part.type })
    }
  }

  #add(turn: Partial<ModelTurn> & Pick<ModelTurn, 'at' | 'what'>): ModelTurn {
    const whole: ModelTurn = {
      ...{ kind: 'model', end: null, side: 'model', text: null, tool: null, tokens: null },
      ...{ cost: null, is_interrupted: false },
      ...turn,
    }
    this.#turns.push(whole)
    return whole
  }

  #words({ side, text, chars, of, is_piece }: Part & { kind: 'words' }, at: number) {
    const isModel = side === 'model'
    const continued = is_piece && this.#open?.side === side ? this.#open : undefined
    const turn = continued ?? this.#add({ at: this.#begun(side, of, at), what: 'words', side })
    turn.text = text === null ? turn.text : `${turn.text ?? ''}${text}`
    if (is_piece) {
      this.#open = turn
      turn.end = at
    }
    if (!isModel) return
    this.#said.set(turn, (this.#said.get(turn) ?? 0) + chars)
    if (continued) return
    this.#lastSaid = turn
    if (of !== undefined) this.#responses.set(of, turn)
    if (this.#voice !== undefined) this.#voiced ??= turn
  }

  /** When somebody began with words that come now. */
  #begun(side: 'caller' | 'model', of: string | undefined, at: number) {
    if (side === 'model') return this.#voiced === undefined ? (this.#voice ?? at) : at
    const begun = this.#spoken.get(of)
    this.#spoken.delete(of)
    return begun ?? at
  }

  #callerSpeaks({ is_over, of }: Part & { kind: 'speaking' }, at: number) {
    if (is_over) return
    this.#spoken.set(of, at)
    if (this.#voice !== undefined) this.#interrupted(at)
  }

  #modelSpeaks({ is_over }: Part & { kind: 'speaking' }, at: number) {
    if (!is_over) {
      if (this.#voice !== undefined) return
      this.#voice = at
      // its words may have come before its voice
      const last = this.#turns.findLast(({ what }) => what === 'words')
      this.#voiced = last?.side === 'model' && last.end === null ? last : undefined
      return
    }
    if (this.#voiced) this.#voiced.end ??= at
    this.#voice = undefined
    this.#voiced = undefined
  }

  #interrupted(at: number) {
    const isNew = at - this.#interruptedAt > SAME_INTERRUPTION_MS
    this.#open = undefined
    const cut = this.#voiced ?? this.#lastSaid
    if (cut) cut.is_interrupted = true
    this.#modelSpeaks({ kind: 'speaking', side: 'model', is_over: true }, at)
    if (!isNew) return
    this.#interruptedAt = at
    this.#add({ at, what: 'interruption', side: 'caller' })
  }

  #toolOf(id: string, at: number): ModelTurn {
    const known = this.#tools.get(id)
    if (known) return known
    const tool = { name: '', arguments: null, result: null, has_failed: false }
    const turn = this.#add({ at, what: 'tool', tool })
    this.#tools.set(id, turn)
    return turn
  }

  #tool({ id, name, arguments: args }: Part & { kind: 'tool' }, at: number) {
    const turn = this.#toolOf(id, at)
    turn.tool = {
      ...turn.tool!,
      name: name ?? turn.tool!.name,
      arguments: args || turn.tool!.arguments,
    }
  }

  #usage({ tokens, of }: Part & { kind: 'usage' }, at: number) {
    this.#tokens = added(this.#tokens, tokens)
    const named = of === undefined ? this.#lastSaid : this.#responses.get(of)
    if (named && !named.tokens) named.tokens = tokens
    else this.#add({ at, what: 'usage', tokens })
  }

  result = (): Turns => ({
    turns: this.#turns.toSorted((a, b) => a.at - b.at),
    vendor: this.#vendor,
    model: this.#model,
    tokens: this.#tokens,
    characters: this.#said.values().reduce((sum, chars) => sum + chars, 0),
    said: this.#said,
  })
}
