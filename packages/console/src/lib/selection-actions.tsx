import { t } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { type ComponentType, Suspense, useState } from 'react'
import { Button } from '../ui/button'
import { toastError } from '../ui/toast'
import { messageOf } from './failure'
import type { Selected } from './table'

/** Props of a dialog for selected rows. */
export type ManyProps<S> = {
  select: S
  count: number
  onClose: () => void
  /** After it is done, which clears the selection. */
  onDone: () => void
}

/** Request members for the selected rows: their sids or, if all are selected, the list's filters. */
export const selectionOf = <K extends string, F>(
  { all, keys }: Selected,
  sids: K,
  filters: F,
): Record<K, string[]> | { matching: F } =>
  all ? { matching: filters } : ({ [sids]: keys } as Record<K, string[]>)

type Action<S> = { label: string; dialog: ComponentType<ManyProps<S>> }

/** Actions for selected rows: a button for each dialog, and one to export them. */
export function SelectionActions<S>({
  select,
  count,
  actions,
  exportRows,
  remove,
  onDone,
}: {
  select: S
  count: number
  actions: Action<S>[]
  exportRows?: () => Promise<void>
  /** The dialog that deletes them, for those who may. */
  remove: Action<S>['dialog'] | undefined
  onDone: () => void
}) {
  const [Opened, setOpened] = useState<Action<S>['dialog']>()
  const save = useMutation({
    mutationFn: async () => exportRows?.(),
    onError: (e) => toastError(messageOf(e)),
  })
  const button = ({ label, dialog }: Action<S>) => (
    // a function would be called for the state
    <Button key={label} size="small" onClick={() => setOpened(() => dialog)}>
      {label}
    </Button>
  )
  return (
    <>
      {actions.map(button)}
      {exportRows && (
        <Button size="small" busy={save.isPending} onClick={() => save.mutate()}>
          {t('Export selected')}
        </Button>
      )}
      {remove && button({ label: t('Delete…'), dialog: remove })}
      <Suspense>
        {Opened && (
          <Opened
            select={select}
            count={count}
            onClose={() => setOpened(undefined)}
            onDone={onDone}
          />
        )}
      </Suspense>
    </>
  )
}

/** The actions of a list whose rows all have the same ones, whoever looks. */
export const selectionActions = <S extends object>({
  sids,
  exportRows,
  ...dialogs
}: {
  /** The member of a request that names the rows. */
  sids: S extends { matching: unknown } ? never : keyof S & string
  actions: Action<S>[]
  exportRows: (select: S) => Promise<void>
  remove: Action<S>['dialog']
}) =>
  function Selection({
    filters,
    selected,
    onDone,
  }: {
    /** Those of the list, used if all its rows are selected. */
    filters: Extract<S, { matching: unknown }>['matching']
    selected: Selected
    onDone: () => void
  }) {
    const select = selectionOf(selected, sids, filters) as S
    return (
      <SelectionActions
        {...dialogs}
        select={select}
        count={selected.count}
        exportRows={() => exportRows(select)}
        onDone={onDone}
      />
    )
  }
