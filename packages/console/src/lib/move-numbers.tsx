import { plural } from '@switchroom/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../ui/button'
import type { ComboboxProps } from '../ui/combobox'
import { ComboboxButton } from '../ui/combobox-button'
import { Notice } from '../ui/notice'
import { toastSuccess } from '../ui/toast'
import { phoneNumbers } from './endpoints'
import { messageOf } from './failure'
import { ManyProgress } from './many-progress'
import { NOUNS } from './many-text'
import { useMany } from './use-many'

/** Gives all phone numbers of a carrier or application another one, so that it can be deleted. */
export function MoveNumbers({
  of,
  from,
  count,
  label,
  choices,
}: {
  of: 'application_sid' | 'voip_carrier_sid'
  from: string
  count: number
  /** Label of the picker: "Carrier to move numbers to". */
  label: string
  choices: Pick<ComboboxProps, 'options' | 'loading' | 'onSearch'>
}) {
  const client = useQueryClient()
  const [to, setTo] = useState('')
  const move = useMany(phoneNumbers.updateMany, ({ changed }, undo) => {
    toastSuccess(plural(changed, '1 number moved|{n} numbers moved'), undo)
    // busy until it is seen that nothing uses it
    return client.invalidateQueries()
  })
  const body = { select: { matching: { [of]: from } }, [of]: to }
  return (
    <div className="used-by-move">
      <ComboboxButton
        {...choices}
        options={choices.options.filter((o) => o.value !== from)}
        label={label}
        placeholder={plural(count, 'Move 1 number to…|Move {n} numbers to…')}
        value={to}
        onChange={setTo}
      />
      <Button
        size="small"
        busy={move.isPending}
        disabled={!to}
        onClick={() => move.mutate({ body })}
      >
        {move.isPending
          ? plural(count, 'Moving 1 number…|Moving {n} numbers…')
          : plural(count, 'Move 1 number|Move {n} numbers')}
      </Button>
      <ManyProgress progress={move.progress} noun={NOUNS.number} />
      {move.error && <Notice tone="bad">{messageOf(move.error)}</Notice>}
    </div>
  )
}
