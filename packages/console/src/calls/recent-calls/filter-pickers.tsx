import { FAILURE_STATUSES, sipStatusText, t, trunkText } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../lib/api'
import { withAll } from '../../lib/application-filter'
import { voipCarriers } from '../../lib/endpoints'
import { SEARCH_PAGE, useSearchFilter, withChosen } from '../../lib/pickers'
import { useCurrentProvider } from '../../lib/use-provider'
import type { Option } from '../../ui/combobox'
import { ComboboxButton } from '../../ui/combobox-button'
import { failureWord } from '../call-text'

type PickerProps = { value: string; onChange: (value: string) => void }

/** Finds a carrier by name, which is what call records have of it. */
export function CarrierPicker({
  value,
  seen,
  onChange,
}: PickerProps & {
  /** Names in the list, also of what is no carrier or is none any more. */
  seen: readonly string[]
}) {
  const [opened, setOpened] = useState(false)
  const service_provider_sid = useCurrentProvider()
  const { filter, onSearch } = useSearchFilter()
  const { data, isFetching } = useQuery({
    ...query(voipCarriers.ofServiceProvider, {
      params: { service_provider_sid },
      query: { ...SEARCH_PAGE, name: filter },
    }),
    placeholderData: keepPreviousData,
    enabled: opened,
  })
  const typed = filter?.toLowerCase() ?? ''
  const others = seen.filter((name) => trunkText(name).toLowerCase().includes(typed))
  const names = [...new Set([...(data?.data.map((c) => c.name) ?? []), ...others])]
  const chosen = value === '' ? undefined : { value, label: trunkText(value) }
  return (
    <ComboboxButton
      label={t('Carrier')}
      placeholder={t('All carriers')}
      value={value}
      onChange={onChange}
      onOpen={() => setOpened(true)}
      onSearch={onSearch}
      loading={isFetching}
      options={withAll(
        t('All carriers'),
        withChosen(
          names.map((name) => ({ value: name, label: trunkText(name) })),
          chosen,
        ),
      )}
    />
  )
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
