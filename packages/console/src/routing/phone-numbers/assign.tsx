import { type PhoneNumberSelection, t } from '@switchroom/contract'
import { useState } from 'react'
import { phoneNumbers } from '../../lib/endpoints'
import { ManyProgress } from '../../lib/many-progress'
import { NOUNS } from '../../lib/many-text'
import { useApplicationChoices } from '../../lib/pickers'
import { RefusedRows } from '../../lib/refused-rows'
import { useMany } from '../../lib/use-many'
import { Button } from '../../ui/button'
import { ComboboxButton } from '../../ui/combobox-button'
import { Dialog, DialogFoot } from '../../ui/dialog'
import { Notice } from '../../ui/notice'
import { toastSuccess } from '../../ui/toast'

const NONE = 'none'

/** Assigns the selected numbers to one application, or to none. */
export function Assign({
  account_sid,
  select,
  onDone,
}: {
  account_sid: string
  select: PhoneNumberSelection
  onDone: () => void
}) {
  const [chosen, setChosen] = useState('')
  const { isEmpty: _, ...choices } = useApplicationChoices(
    account_sid,
    chosen === NONE ? '' : chosen,
  )
  const change = useMany(phoneNumbers.updateMany, (_, undo) => {
    toastSuccess(t('Number routing updated successfully'), undo)
    onDone()
  })
  const application_sid = chosen === NONE ? null : chosen
  return (
    <>
      <ComboboxButton
        label={t('Application')}
        placeholder={t('Choose application')}
        value={chosen}
        onChange={setChosen}
        {...choices}
        options={[{ value: NONE, label: t('None') }, ...choices.options]}
      />
      <Button
        look="primary"
        size="small"
        busy={change.isPending}
        disabled={!chosen}
        onClick={() => change.mutate({ body: { select, application_sid } })}
      >
        {change.isPending ? t('Updating number routing...') : t('Apply')}
      </Button>
      <ManyProgress progress={change.progress} noun={NOUNS.phoneNumber} />
      {change.error && (
        <Dialog open onClose={() => change.reset()} title={t('The number routing was not updated')}>
          <Notice tone="bad">
            <RefusedRows error={change.error} />
          </Notice>
          <DialogFoot>
            <Button onClick={() => change.reset()}>{t('Close')}</Button>
          </DialogFoot>
        </Dialog>
      )}
    </>
  )
}
