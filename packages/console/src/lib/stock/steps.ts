import { t } from '@switchroom/contract'
import { PartlySaved } from '../partly-saved'

/** The message of a failed request. */
export const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

export type Step = { what: string; run: () => Promise<unknown> }

/** Runs steps one by one. Throws `PartlySaved` at the first failure, naming what was saved. */
export async function runInOrder(first: string, steps: readonly Step[]) {
  for (const [i, step] of steps.entries())
    try {
      await step.run()
    } catch (e) {
      const saved = [first, ...steps.slice(0, i).map((s) => s.what)].join(', ')
      const rest = steps.slice(i).map((s) => s.what)
      throw new PartlySaved(
        t('Saved: {saved}. Not saved: {rest}. {reason}', {
          saved,
          rest: rest.join(', '),
          reason: reasonOf(e),
        }),
      )
    }
}

/** For a resource that exists already when later steps fail, so that it is not created again. */
export async function created(sid: string, rest: () => Promise<unknown>) {
  try {
    await rest()
  } catch (e) {
    return { sid, unsaved: reasonOf(e) }
  }
  return { sid }
}
