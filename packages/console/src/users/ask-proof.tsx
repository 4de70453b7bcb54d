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
      setAsked({
        async run(proof) {
          try {
            resolve(await attempt(proof))
          } catch (error) {
            if (issueOn(error, 'proof') !== undefined) throw error
            reject(error)
          }
          close()
        },
        cancel() {
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
