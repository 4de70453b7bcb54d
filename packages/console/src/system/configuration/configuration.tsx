import { t } from '@switchroom/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { mayWrite, ownAccount } from '../../lib/access'
import { LoadError } from '../../lib/load-error'
import { useAccountChoices } from '../../lib/pickers'
import { useSetSearch } from '../../lib/use-set-search'
import { ComboboxButton } from '../../ui/combobox-button'
import { PageHeader } from '../../ui/page-header'
import { LoadingState } from '../../ui/states'
import { Tabs } from '../../ui/tabs'
import { Compare } from './compare'
import sheet from './configuration.css?url'
import { Export } from './export'
import { NEW, useOwner } from './owner'

const route = getRouteApi('/internal/configuration')
type Search = { account_sid?: string; tab?: 'compare' }

/** Configuration of an account or a provider as files: exports it, compares it with files, and applies them. */
export function Configuration() {
  const { account_sid = '', tab } = route.useSearch()
  const setSearch = useSetSearch<Search>()
  const { owner, isNew, error, refetch } = useOwner(account_sid)
  const [busy, setBusy] = useState(false)
  // before it is needed; a failure is told when it is
  useEffect(() => void import('./engine').catch(() => undefined), [])
  return (
    <>
      {/* lists need none of it */}
      <link rel="stylesheet" href={sheet} precedence="page" />
      <PageHeader title={t('Configuration')} />
      <p className="config-about">
        {t(
          'Files to keep in Git: names instead of SIDs, and no secrets. The command line “switchroom” reads and writes the same files.',
        )}
      </p>
      {!ownAccount() && (
        <OwnerPicker
          value={account_sid}
          disabled={busy}
          onChange={(sid) => setSearch({ account_sid: sid || undefined })}
        />
      )}
      {owner ? (
        <Tabs
          label={t('Configuration')}
          value={tab ?? 'export'}
          onChange={(id) => setSearch({ tab: id === 'compare' ? id : undefined })}
          tabs={[
            { id: 'export', label: t('Export'), content: <Export owner={owner} isNew={isNew} /> },
            {
              id: 'compare',
              label: mayWrite() ? t('Compare and apply') : t('Compare'),
              content: <Compare owner={owner} isNew={isNew} onBusy={setBusy} />,
            },
          ]}
        />
      ) : error ? (
        <LoadError error={error} retry={refetch} />
      ) : (
        <LoadingState text={t('Loading the account')} />
      )}
    </>
  )
}

function OwnerPicker({
  value,
  disabled,
  onChange,
}: {
  value: string
  disabled: boolean
  onChange: (sid: string) => void
}) {
  const { isEmpty: _, ...choices } = useAccountChoices(value === NEW ? '' : value)
  const all = { value: '', label: t('The service provider with all its accounts') }
  const anew = { value: NEW, label: t('A new account, named in accounts.yaml') }
  return (
    <div className="config-actions">
      <ComboboxButton
        label={t('Configuration of')}
        placeholder={all.label}
        value={value}
        disabled={disabled}
        onChange={onChange}
        {...choices}
        options={[all, ...choices.options, ...(mayWrite() ? [anew] : [])]}
      />
    </div>
  )
}
