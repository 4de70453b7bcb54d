import { t } from '@switchroom/contract'
import { useState } from 'react'
import { useListField } from '../../lib/form-fields'
import { Checkbox, Switch } from '../../ui/toggle'

type Type = { type: string; name: string; meaning: string }

/**
 * All types, or selected ones. An empty selection means all; to stop deliveries, deactivate the
 * destination.
 */
export function TypesField({
  label,
  allLabel,
  types,
}: {
  label: string
  /** Label of the switch that selects all types. */
  allLabel: string
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
  const isSelecting = choosing || chosen.length > 0
  const toggle = (type: string, on: boolean) =>
    field.handleChange(on ? [...chosen, type].sort() : chosen.filter((other) => other !== type))
  return (
    <>
      <Switch
        label={allLabel}
        help={isSelecting && chosen.length === 0 ? t('Leave empty to send all types.') : undefined}
        value={!isSelecting}
        onChange={(isAll) => {
          setChoosing(!isAll)
          if (isAll) field.handleChange([])
        }}
      />
      {isSelecting && (
        <fieldset className="destination-types">
          <legend className="visually-hidden">{label}</legend>
          {types.map(({ type, name, meaning }) => (
            <Checkbox
              key={type}
              label={name}
              help={meaning}
              value={chosen.includes(type)}
              onChange={(on) => toggle(type, on)}
            />
          ))}
        </fieldset>
      )}
    </>
  )
}
