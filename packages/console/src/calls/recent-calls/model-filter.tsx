import { numberText, plural, t } from '@switchroom/contract'
import type { SetSearch } from '../../lib/use-set-search'
import { type Chip, FilterSelect } from '../../ui/filter-bar'
import type { filtersOf, Search } from '../search'
import { NumberFilter } from './number-filter'

type Filters = Pick<ReturnType<typeof filtersOf>, 'tokens_at_least' | 'cost_at_least'>
type Props = { filters: Filters; setSearch: SetSearch<Search> }

const MANY_TOKENS = '10000'
const MAX_TOKENS = 999_999_999
const MAX_COST = 999_999
const NONE = { tokens_at_least: undefined, cost_at_least: undefined }

/** Filters calls by what their model sessions used. `hasPrices`: true within one account, which has its own. */
export function ModelFilter({ filters, setSearch, hasPrices }: Props & { hasPrices: boolean }) {
  const { tokens_at_least, cost_at_least } = filters
  const chosen =
    cost_at_least !== undefined ? 'cost' : tokens_at_least !== undefined ? 'tokens' : ''
  return (
    <>
      <FilterSelect
        label={t('Model use')}
        options={[
          { value: '', label: t('Any model use') },
          { value: 'tokens', label: t('Tokens at least …') },
          ...(hasPrices ? [{ value: 'cost', label: t('Cost of the model at least …') }] : []),
        ]}
        value={chosen}
        onChange={(value) =>
          setSearch({
            ...NONE,
            ...(value === 'tokens' && { tokens_at_least: MANY_TOKENS }),
            ...(value === 'cost' && { cost_at_least: '0' }),
          })
        }
      />
      {chosen === 'tokens' && (
        <NumberFilter
          label={t('At least, in tokens')}
          unit={t('tokens')}
          value={tokens_at_least}
          max={MAX_TOKENS}
          onChange={(n) => setSearch({ tokens_at_least: n === undefined ? undefined : String(n) })}
        />
      )}
      {chosen === 'cost' && (
        <NumberFilter
          label={t('At least, in the account’s currency')}
          unit=""
          value={cost_at_least}
          max={MAX_COST}
          step={0.01}
          decimals={6}
          onChange={(n) => setSearch({ cost_at_least: n?.toFixed(6) })}
        />
      )}
    </>
  )
}

/** Chips for the filters that are set; each can be removed. */
export function modelChips({ filters, setSearch }: Props): Chip[] {
  const { tokens_at_least, cost_at_least } = filters
  return [
    {
      name: t('Tokens'),
      value:
        tokens_at_least === undefined
          ? undefined
          : tokens_at_least === 0
            ? t('Known')
            : plural(tokens_at_least, 'At least 1|At least {n}'),
      onRemove: () => setSearch({ tokens_at_least: undefined }),
    },
    {
      name: t('Cost of the model'),
      value:
        cost_at_least === undefined
          ? undefined
          : cost_at_least === 0
            ? t('Known')
            : t('At least {amount}', {
                amount: numberText(cost_at_least, { maximumFractionDigits: 6 }),
              }),
      onRemove: () => setSearch({ cost_at_least: undefined }),
    },
  ]
}
