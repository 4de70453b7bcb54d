import { type TranscriptionPlan, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../lib/api'
import { speechCatalogues } from '../../../lib/endpoints'
import { withOwnNames } from '../../../speech/language-names'
import { ComboboxField } from '../../../ui/combobox-field'
import { TextField } from '../../../ui/text-field'

/** The language that is spoken in a recording: one that the service knows, or by its code if it tells none. */
export function LanguageField({
  account_sid,
  service: { vendor, label, speech_credential_sid, language },
  value,
  onChange,
  error,
}: {
  account_sid: string
  service: TranscriptionPlan['services'][number]
  /** Empty for the service's default. */
  value: string
  onChange: (value: string) => void
  error: string | undefined
}) {
  const { data, isLoading } = useQuery({
    ...query(speechCatalogues.ofAccount, {
      params: { account_sid },
      query: { vendor, label: label ?? undefined, speech_credential_sid },
    }),
    select: withOwnNames,
    staleTime: 60_000,
    meta: { background: true },
  })
  const languages = data?.stt ?? []
  const field = {
    label: t('Language'),
    optional: true,
    help: t('Leave blank for {language}.', { language }),
    value,
    onChange,
    error,
  }
  const isListed = value === '' || languages.some((one) => one.value === value)
  if (!isLoading && languages.length === 0) return <TextField {...field} mono />
  return (
    <ComboboxField
      {...field}
      loading={isLoading}
      options={[
        // what the call was recognized in may be missing in the list
        ...(isListed ? [] : [{ value, label: value }]),
        ...languages.map(({ value, name }) => ({ value, label: name, note: value })),
      ].sort((a, b) => a.label.localeCompare(b.label))}
    />
  )
}
