import { t } from '@switchroom/contract'
import { useState } from 'react'
import { useListField } from '../../lib/form-fields'
import { Checkbox, Switch } from '../../ui/toggle'

type Type = { type: string; name: string; meaning: string }

/** All types, or the selected ones. Selecting none means all: to stop what they go to, make it inactive. */
export function TypesField({
  label,
  all,
  types,
}: {
  label: string
  /** The switch for all of them. */
  all: string
  types: readonly Type[]
}) {
  const namesOf = (chosen: readonly string[]) =>
    chosen.length === 0
      ? t('All types')
      : types
          .filter(({ type }) => chosen.includes(type))
          .map(({ name }) => name)
          .join(', ')
  const field = useListField(label, namesOf)
  const chosen = field.state.value
  const [choosing, setChoosing] = useState(chosen.length > 0)
  const some = choosing || chosen.length > 0
  const tick = (type: string, on: boolean) =>
    field.handleChange(on ? [...chosen, type].sort() : chosen.filter((one) => one !== type))
  return (
    <>
      <Switch
        label={all}
        help={some && chosen.length === 0 ? t('Leave empty to send all types.') : undefined}
        value={!some}
        onChange={(isAll) => {
          setChoosing(!isAll)
          if (isAll) field.handleChange([])
        }}
      />
      {some && (
        <fieldset className="destination-types">
          <legend className="visually-hidden">{label}</legend>
          {types.map(({ type, name, meaning }) => (
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
