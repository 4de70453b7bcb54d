import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../ui/button'
import type { ComboboxProps } from '../ui/combobox'
import { ComboboxButton } from '../ui/combobox-button'
import { Notice } from '../ui/notice'
import { toastSuccess } from '../ui/toast'
import { send } from './api'
import { phoneNumbers } from './endpoints'
import { messageOf } from './failure'

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
  /** Of the choice: "Carrier". */
  label: string
  choices: Pick<ComboboxProps, 'options' | 'loading' | 'onSearch'>
}) {
  const client = useQueryClient()
  const [to, setTo] = useState('')
  const what = count === 1 ? '1 number' : `${count} numbers`
  const move = useMutation({
    mutationFn: () =>
      send(phoneNumbers.updateMany, { body: { select: { matching: { [of]: from } }, [of]: to } }),
    onSuccess: ({ changed }) => {
      toastSuccess(changed === 1 ? '1 number moved' : `${changed} numbers moved`)
      return client.invalidateQueries()
    },
  })
  return (
    <div className="used-by-move">
      <ComboboxButton
        {...choices}
        options={choices.options.filter((o) => o.value !== from)}
        label={`${label} to move numbers to`}
        placeholder={`Move ${what} to…`}
        value={to}
        onChange={setTo}
      />
      <Button size="small" busy={move.isPending} disabled={!to} onClick={() => move.mutate()}>
        {move.isPending ? `Moving ${what}…` : `Move ${what}`}
      </Button>
      {move.error && <Notice tone="bad">{messageOf(move.error)}</Notice>}
    </div>
  )
}
