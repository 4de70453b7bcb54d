import {
  FAILURE_STATUSES,
  sipStatusText,
  t,
  trunkText,
  type VoipCarrierItem,
} from '@switchroom/contract'
import { withChosen } from '../../lib/pickers'
import { CarrierFilter, withAll } from '../../lib/searched-filters'
import type { Option } from '../../ui/combobox'
import { ComboboxButton } from '../../ui/combobox-button'
import { failureWord } from '../call-text'

type PickerProps = { value: string; onChange: (value: string) => void }

/** Finds a carrier by name, which is what call records have of it. */
export function CarrierPicker({
  seen,
  ...props
}: PickerProps & {
  /** Names in the list, also of what is no carrier or is none any more. */
  seen: readonly string[]
}) {
  const optionsOf = (rows: VoipCarrierItem[], typed: string) => {
    const others = seen.filter((name) =>
      trunkText(name).toLowerCase().includes(typed.toLowerCase()),
    )
    const names = new Set([...rows.map(({ name }) => name), ...others])
    return [...names].map((name) => ({ value: name, label: trunkText(name) }))
  }
  return <CarrierFilter {...props} name={trunkText(props.value)} optionsOf={optionsOf} />
}

const ANY_STATUS = t('Any SIP status')
const FAILURES: Option[] = FAILURE_STATUSES.map((status) => ({
  value: String(status),
  label: sipStatusText(status),
  note: failureWord(status),
}))

export function StatusPicker({ value, onChange }: PickerProps) {
  const chosen = value === '' ? undefined : { value, label: sipStatusText(Number(value)) }
  return (
    <ComboboxButton
      label={t('SIP status')}
      placeholder={ANY_STATUS}
      value={value}
      onChange={onChange}
      options={withAll(ANY_STATUS, withChosen(FAILURES, chosen))}
    />
  )
}
