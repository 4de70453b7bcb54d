import { isSearchable, t } from '@switchroom/contract'
import { useId } from 'react'
import { useCapabilities } from '../../lib/use-capabilities'
import { SearchInput } from '../../ui/filter-bar'
import { hasTracing } from '../has-tracing'

/** Searches the words of calls. Only our server has them, from traces. */
export function SaidFilter({
  value,
  onChange,
}: {
  value: string
  onChange: (said: string | undefined) => void
}) {
  const ours = useCapabilities()
  const hint = useId()
  if (!ours || !hasTracing) return null
  const isWrong = value !== '' && !isSearchable(value)
  return (
    <div className="said-filter">
      <SearchInput
        label={t('What was said')}
        value={value}
        aria-describedby={hint}
        aria-invalid={isWrong || undefined}
        onChange={(said) => onChange(said || undefined)}
      />
      <p id={hint} className={isWrong ? 'said-hint said-wrong' : 'said-hint'}>
        {isWrong
          ? t('Enter up to 10 words, or phrases in quotation marks, in up to 200 characters.')
          : t('Beginnings of words, or a phrase “in quotation marks”. Calls have all of them.')}
      </p>
    </div>
  )
}
