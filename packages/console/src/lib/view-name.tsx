import { t } from '@switchroom/contract'
import { type FormEvent, useState } from 'react'
import { Button } from '../ui/button'
import { Dialog, DialogFoot } from '../ui/dialog'
import { TextField } from '../ui/text-field'
import { saveView } from './save-view'
import { MAX_NAME, nameProblem, type ShownViews } from './saved-views'

/** Asks for the name of a view, and saves it. */
export function ViewName({
  views,
  before,
  onClose,
}: {
  views: ShownViews
  before: string | undefined
  onClose: () => void
}) {
  const { saved, now, current, isOurs } = views
  // names are unique among one’s own, and among shared ones
  const isShared = before !== undefined && current?.is_shared === true
  const others = saved.views.filter((v) => !isOurs || (v.is_shared ?? false) === isShared)
  const [name, setName] = useState(before ?? '')
  const [isTried, setIsTried] = useState(false)
  const problem = nameProblem({ views: others }, name.trim(), before)
  const renamed = (name: string) =>
    before === undefined ? { name, ...now } : { ...current!, name }
  const submit = (e: FormEvent) => {
    e.preventDefault()
    setIsTried(true)
    if (problem) return
    void saveView(views, renamed(name.trim()), before)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={before === undefined ? t('Save view') : t('Rename view')}>
      <form onSubmit={submit} noValidate>
        <TextField
          label={t('Name')}
          autoFocus
          maxLength={MAX_NAME}
          value={name}
          onChange={setName}
          help={
            isOurs
              ? t('Filters, order, page size and columns.')
              : t('Filters, order, page size and columns. Kept in this browser.')
          }
          error={isTried ? problem : undefined}
        />
        <DialogFoot>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" look="primary">
            {t('Save')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
