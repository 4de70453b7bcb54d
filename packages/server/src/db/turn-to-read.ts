/** How long a turn of the event loop goes on beginning to read. */
const TURN_MS = 1

/** When reads began in this turn of the event loop. */
let turn: number | undefined

/**
 * A later turn of the event loop, with few others in it: SQLite blocks, and new connections, of which Node accepts
 * one in a turn, would wait for all of them.
 */
export const turnToRead = () =>
  new Promise<void>((resolve) => {
    function begin() {
      if (turn === undefined) {
        turn = performance.now()
        setImmediate(() => {
          turn = undefined
        })
      }
      if (performance.now() - turn > TURN_MS) setImmediate(begin)
      else resolve()
    }
    setImmediate(begin)
  })
