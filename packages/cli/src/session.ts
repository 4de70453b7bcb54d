import { connect, type Switchroom } from '@switchroom/client'
import { namesIn } from './names.ts'
import { facts, isRow, machineText, pick, rowsOf, type Shape, table } from './output.ts'
import { chosenServer, type Server } from './servers.ts'
import { type Style, styleFor, type Terminal } from './terminal.ts'
import { fetchWithTokens } from './tokens.ts'

/** Flags that every command takes. */
export type Globals = Shape & { server?: string; watch?: string | boolean; color?: boolean }

/** A command while it runs: the server that it is for, and how its answer is shown. */
export class Session {
  terminal: Terminal
  globals: Globals
  style: Style
  #chosen: (Server & { name?: string }) | undefined
  #api: Switchroom | undefined
  constructor(terminal: Terminal, globals: Globals) {
    this.terminal = terminal
    this.globals = globals
    const isColoured = terminal.isTerminal && globals.color !== false && !terminal.env.NO_COLOR
    this.style = styleFor(isColoured)
  }
  get server() {
    this.#chosen ??= chosenServer(this.terminal.env, this.globals.server)
    return this.#chosen
  }
  get api(): Switchroom {
    const { url, api_key, name } = this.server
    this.#api ??= connect({
      url,
      apiKey: api_key,
      fetch: api_key || !name ? this.terminal.fetch : fetchWithTokens(this.terminal, name),
    })
    return this.#api
  }

  /** Shows an answer as it was asked for. `own`: the member that is the thing's own sid. */
  async show(answer: unknown, own?: string) {
    const { terminal, globals } = this
    const text = machineText(answer, globals) ?? (await this.#personText(answer, own))
    terminal.out(text)
  }
  async #personText(answer: unknown, own: string | undefined): Promise<string> {
    const { terminal, globals, style } = this
    if (answer === undefined) return 'Done\n'
    const isList = Array.isArray(answer) || (isRow(answer) && Array.isArray(answer.data))
    const rows = rowsOf(answer)
    if (!isList && isRow(answer)) {
      const picked = globals.query ? pick(answer, globals.query) : answer
      return facts(answer, globals, await this.#names([picked], own), style)
    }
    if (!rows.every(isRow))
      return rows.map((row) => `${typeof row === 'object' ? JSON.stringify(row) : row}\n`).join('')
    if (rows.length === 0) return 'None\n'
    const names = globals.query ? new Map<string, string>() : await this.#names(rows, own)
    return table(rows, globals, names, terminal, style) + this.#more(answer, rows.length)
  }
  #names = async (rows: Record<string, unknown>[], own: string | undefined) =>
    this.globals.wide ? new Map<string, string>() : namesIn(this.api, rows, own)

  /** Total, if these are not all. */
  #more(answer: unknown, shown: number): string {
    const total = isRow(answer) ? Number(answer.total) : Number.NaN
    if (!(total > shown) || !this.terminal.isTerminal) return ''
    const more = `${shown} of ${total}. --page 2 shows the next, --all-pages all of them.`
    return `${this.style('dim', more)}\n`
  }

  /** Shows progress on one line that is rewritten. Shows nothing in a pipe. */
  progress(done: number, total: number | undefined, what: string) {
    const { isTerminal, err } = this.terminal
    if (!isTerminal) return
    const width = 24
    const part = total ? Math.round((done / total) * width) : 0
    const bar = total ? `[${'#'.repeat(part)}${' '.repeat(width - part)}] ` : ''
    err(`\r\x1b[K${bar}${done}${total ? ` of ${total}` : ''} ${what}`)
    if (done === total) err('\r\x1b[K')
  }
}
