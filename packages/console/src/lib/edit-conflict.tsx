import { EDIT_CONFLICT, t } from '@switchroom/contract'
import { useState } from 'react'
import { Button } from '../ui/button'
import { Dialog, DialogFoot } from '../ui/dialog'
import { fieldTextOf } from './field-text'
import type { Difference, Side } from './merge'
import './edit-conflict.css'

/** Lets the user choose, field by field, between their own and another user's changes. */
export function EditConflict({
  fieldsOf,
  differences,
  onClose,
  onChosen,
}: {
  /** The store of the form, by which its fields' labels are found. */
  fieldsOf: object
  differences: Difference[]
  onClose: () => void
  onChosen: (chosen: Difference[]) => void
}) {
  const [chosen, setChosen] = useState(differences)
  const choose = (path: string, side: Side) =>
    setChosen(chosen.map((d) => (d.path === path ? { ...d, side } : d)))
  return (
    <Dialog open wide onClose={onClose} title={EDIT_CONFLICT}>
      <form
        onSubmit={(e) => {
          e.preventDefault()
          e.stopPropagation()
          onChosen(chosen)
        }}
      >
        <p>{t('Nothing has been saved yet. Choose which value to keep for each field.')}</p>
        <div className="conflict">
          {chosen.map((d) => {
            const { label, text } = fieldTextOf(fieldsOf, d.path)
            return (
              <fieldset key={d.path}>
                <legend>{label}</legend>
                {(['mine', 'theirs'] as const).map((side) => (
                  <label key={side} className="conflict-side">
                    <input
                      type="radio"
                      name={d.path}
                      checked={d.side === side}
                      onChange={() => choose(d.path, side)}
                    />
                    <span className="conflict-who">
                      {side === 'mine' ? t('Yours') : t('Theirs')}
                    </span>
                    <span className="conflict-value">{text(d[side])}</span>
                  </label>
                ))}
              </fieldset>
            )
          })}
        </div>
        <DialogFoot>
          <Button onClick={onClose}>{t('Keep editing')}</Button>
          <Button type="submit" look="primary">
            {t('Save')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
