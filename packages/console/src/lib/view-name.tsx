import { type FormEvent, useState } from 'react'
import { Button } from '../ui/button'
import { Dialog, DialogFoot } from '../ui/dialog'
import { TextField } from '../ui/text-field'
import { MAX_NAME, nameProblem, type SavedViews } from './saved-views'

/** Asks for the name of a view. */
export function ViewName({
  saved,
  isKeptHere,
  before,
  onSave,
  onClose,
}: {
  saved: SavedViews
  /** In this browser, without a server of ours. */
  isKeptHere: boolean
  before: string | undefined
  onSave: (name: string) => void
  onClose: () => void
}) {
  const [name, setName] = useState(before ?? '')
  const [isTried, setIsTried] = useState(false)
  const problem = nameProblem(saved, name.trim(), before)
  const submit = (e: FormEvent) => {
    e.preventDefault()
    setIsTried(true)
    if (problem) return
    onSave(name.trim())
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={before === undefined ? 'Save view' : 'Rename view'}>
      <form onSubmit={submit} noValidate>
        <TextField
          label="Name"
          autoFocus
          maxLength={MAX_NAME}
          value={name}
          onChange={setName}
          help={`Filters, order, page size and columns.${isKeptHere ? ' Kept in this browser.' : ''}`}
          error={isTried ? problem : undefined}
        />
        <DialogFoot>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Save
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
