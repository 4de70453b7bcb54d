import { PartlySaved } from '../partly-saved'

/** Why a call failed, as the server says it. */
export const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

export type Step = { what: string; run: () => Promise<unknown> }

/** One after the other. Throws `PartlySaved` at the first that fails, saying how far it came. */
export async function inOrder(first: string, steps: readonly Step[]) {
  for (const [i, step] of steps.entries())
    try {
      await step.run()
    } catch (e) {
      const saved = [first, ...steps.slice(0, i).map((s) => s.what)].join(', ')
      const rest = steps.slice(i).map((s) => s.what)
      throw new PartlySaved(`Saved: ${saved}. Not saved: ${rest.join(', ')}. ${reasonOf(e)}`)
    }
}

/** Of something new: it is there, so it is not added again; what of it is not there is said. */
export async function created(sid: string, rest: () => Promise<unknown>) {
  try {
    await rest()
  } catch (e) {
    return { sid, unsaved: reasonOf(e) }
  }
  return { sid }
}
