import { type Proof, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Dialog } from '../../ui/dialog'
import { LoadingState } from '../../ui/states'
import { LoadError } from '../load-error'
import { ownFactorQuery } from './own-factor'
import { ProofForm } from './proof-form'

/** Asks users to prove their identity before they change someone else's log-in. */
export function ProofDialog({
  title,
  children,
  onClose,
  ...form
}: {
  title: string
  children: ReactNode
  confirm: string
  look?: 'primary' | 'danger'
  run: (proof: Proof) => Promise<unknown>
  onClose: () => void
}) {
  const { data: own, error, refetch } = useQuery(ownFactorQuery())
  return (
    <Dialog open title={title} onClose={onClose}>
      {own ? (
        <ProofForm {...form} own={own} onCancel={onClose}>
          <p>{children}</p>
        </ProofForm>
      ) : error ? (
        <LoadError error={error} retry={refetch} />
      ) : (
        <LoadingState text={t('Loading second factor')} />
      )}
    </Dialog>
  )
}
