import { DESTINATION_TYPES, t } from '@switchroom/contract'
import { useState } from 'react'
import { useListField } from '../../lib/form-fields'
import { Checkbox, Switch } from '../../ui/toggle'

const TYPES = Object.entries(DESTINATION_TYPES)
  .map(([type, words]) => ({ type, ...words }))
  .sort((a, b) => a.name.localeCompare(b.name))

const namesOf = (chosen: readonly string[]) => {
  if (chosen.length === 0) return t('All types')
  return TYPES.filter((t) => chosen.includes(t.type))
    .map((t) => t.name)
    .join(', ')
}

/** All types, or the selected ones. Selecting none means all: to stop a destination, make it inactive. */
export function TypesField() {
  const field = useListField(t('Alert types'), namesOf)
  const chosen = field.state.value
  const [choosing, setChoosing] = useState(chosen.length > 0)
  const some = choosing || chosen.length > 0
  const tick = (type: string, on: boolean) =>
    field.handleChange(on ? [...chosen, type].sort() : chosen.filter((t) => t !== type))
  return (
    <>
      <Switch
        label={t('All alert types')}
        help={some && chosen.length === 0 ? t('Leave empty to send all types.') : undefined}
        value={!some}
        onChange={(all) => {
          setChoosing(!all)
          if (all) field.handleChange([])
        }}
      />
      {some && (
        <fieldset className="destination-types">
          <legend className="visually-hidden">{t('Alert types')}</legend>
          {TYPES.map(({ type, name, meaning }) => (
            <Checkbox
              key={type}
              label={name}
              help={meaning}
              value={chosen.includes(type)}
              onChange={(on) => tick(type, on)}
            />
          ))}
        </fieldset>
      )}
    </>
  )
}
