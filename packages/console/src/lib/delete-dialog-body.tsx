import { membersOf, type ThingUse, t, type UsedKind } from '@switchroom/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { toastSuccess } from '../ui/toast'
import type { Endpoint, Sent } from './endpoints'
import { messageOf, statusOf, usedBy } from './failure'
import { sendChange } from './send-change'
import { usesOf } from './uses-of'

const Uses = lazy(async () => ({ default: (await import('./uses')).Uses }))

/** The sid that a path ends with: what is deleted, not a part of it. */
function sidIn({ path }: Endpoint, sent: object) {
  const [, name = ''] = /:(\w+)$/.exec(path) ?? []
  const sid = membersOf('params' in sent ? sent.params : {})[name]
  return typeof sid === 'string' ? sid : undefined
}

/** Called when the dialog closes, and after a deletion. */
export type DeleteCallbacks = { onClose: () => void; onDeleted?: () => unknown }

export type DeleteDialogProps<E extends Endpoint> = {
  endpoint: E
  sent: Sent<E>
  /** Heading and label of the button: "Delete phone number". */
  title: string
  question: ReactNode
  /** Text of the toast afterwards. */
  done: string
  typeName?: string
  /** Shown instead of the server's message for status 403. */
  forbidden?: string
  /** Lists what uses the resource before it is deleted; `remedy` as in `Uses`. */
  used?: { kind: UsedKind; sid: string; remedy?: (use: ThingUse) => ReactNode }
} & DeleteCallbacks

/** Confirms and deletes. Errors appear in the dialog, with what still uses the resource. */
export function DeleteDialogBody<E extends Endpoint>({
  endpoint,
  sent,
  title,
  question,
  done,
  typeName,
  forbidden,
  used,
  onClose,
  onDeleted,
}: DeleteDialogProps<E>) {
  const remove = useMutation({
    mutationFn: () => sendChange(endpoint, sent),
    meta: { gone: sidIn(endpoint, sent) },
    onSuccess: ({ undo }) => {
      toastSuccess(done, undo)
      onClose()
      onDeleted?.()
    },
  })
  const inTheWay = usedBy(remove.error)
  const isNamed = used !== undefined && typeName !== undefined
  const known = useQuery({
    ...usesOf(used?.kind ?? 'account', used?.sid ?? ''),
    enabled: isNamed,
  })
  // nobody types a name for what cannot be deleted; without a name, the server says so
  const waits = isNamed && (known.isLoading || !!known.data?.some((use) => use.blocks))
  const message = forbidden && statusOf(remove.error) === 403 ? forbidden : messageOf(remove.error)
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={title}
      confirm={title}
      busy={remove.isPending}
      typeName={waits ? undefined : typeName}
      disabled={waits}
      usedBy={inTheWay}
      error={remove.error && !inTheWay ? message : undefined}
      onConfirm={() => remove.mutate()}
    >
      {inTheWay && remove.error ? message : question}
      {used && !inTheWay && (
        <Suspense fallback={<p className="used-by-none">{t('Checking what uses it…')}</p>}>
          <Uses {...used} />
        </Suspense>
      )}
    </ConfirmDialog>
  )
}
