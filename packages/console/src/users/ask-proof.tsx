import { type Proof, t } from '@switchroom/contract'
import { useState } from 'react'
import { issueOn } from '../lib/failure'
import { ProofDialog } from '../lib/proof/proof-dialog'

/**
 * Asks for a proof of oneself before somebody's password is set. `ask` resolves to what was done with the proof, or to
 * undefined if none was given; what is wrong with the proof is shown where it is entered, all else is thrown.
 */
export function useProof(oneself: boolean) {
  const [asked, setAsked] = useState<{ run: (proof: Proof) => Promise<void>; cancel: () => void }>()

  const ask = <R,>(attempt: (proof: Proof) => Promise<R>) =>
    new Promise<R | undefined>((resolve, reject) => {
      const close = () => setAsked(undefined)
      let isRunning = false
      setAsked({
        async run(proof) {
          isRunning = true
          try {
            resolve(await attempt(proof))
          } catch (error) {
            if (issueOn(error, 'proof') !== undefined) throw error
            reject(error)
          } finally {
            isRunning = false
          }
          close()
        },
        cancel() {
          // what is on its way cannot be called back, and its end is to be told
          if (isRunning) return
          resolve(undefined)
          close()
        },
      })
    })

  const question = asked && (
    <ProofDialog
      title={t('Set a temporary password')}
      confirm={t('Set password')}
      run={asked.run}
      onClose={asked.cancel}
    >
      {oneself
        ? t('Confirm that it is you. You are logged out.')
        : t(
            'Confirm that it is you. The user is logged out, and chooses a new password at the next log-in.',
          )}
    </ProofDialog>
  )
  return { ask, question }
}
