/** Time within a turn of the event loop in which new reads may begin. */
const TURN_MS = 1

/** Time at which reads began in this turn of the event loop. */
let turn: number | undefined

/**
 * Resolves in a later turn of the event loop, with few others: SQLite blocks, and new connections, which Node accepts
 * one per turn, would wait for all of them.
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
