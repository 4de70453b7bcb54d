import { msg, type SpeechCredentialItem, t } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Activity, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { mayWrite, ownAccount } from '../../lib/access'
import { AccountFilters } from '../../lib/account-filters'
import { ClearFilters, NoMatch } from '../../lib/no-match'
import { editAction } from '../../lib/row-actions'
import { type Column, Table } from '../../lib/table'
import { editHref, thingHref } from '../../lib/thing-href'
import { thingCell } from '../../lib/thing-link'
import { useCapabilities } from '../../lib/use-capabilities'
import { useCurrentProvider } from '../../lib/use-provider'
import { Button, buttonClass } from '../../ui/button'
import { PageHeader } from '../../ui/page-header'
import { Sid } from '../../ui/sid'
import { EmptyState } from '../../ui/states'
import { DeleteSpeechCredential } from './delete'
import { listOf } from './queries'
import { isOwn, mayChange } from './speech-api'
import { StatusCell } from './status-cell'
import { usageText } from './test-result'
import { type TestState, useTests } from './tests'
import { vendorName } from './vendor-name'
import './list.css'

const route = getRouteApi('/internal/speech-services')

type Item = SpeechCredentialItem
const hrefOf = (c: Item) => thingHref('speech_credential', c.speech_credential_sid)
const add = (
  <Link to="/internal/speech-services/add" className={buttonClass('primary')}>
    <Plus aria-hidden />
    {t('Add speech service')}
  </Link>
)

const accountOf = (c: Item) =>
  c.account_sid === null ? t('All accounts') : thingCell('account', c.account_sid, c.account_name)

const columns = (tested: Record<string, TestState>): Column<Item>[] => [
  { header: msg('Vendor'), cell: (c) => vendorName(c.vendor) },
  { header: msg('Usage'), cell: usageText },
  { header: msg('Label'), cell: (c) => c.label ?? <span className="none">{t('None')}</span> },
  {
    header: msg('Used by'),
    cell: (c) => (ownAccount() === c.account_sid ? t('This account') : accountOf(c)),
  },
  {
    header: msg('Status'),
    cell: (c) => <StatusCell row={c} tested={tested[c.speech_credential_sid]} />,
  },
  { header: 'SID', width: 120, cell: (c) => <Sid sid={c.speech_credential_sid} /> },
]

export function SpeechCredentials() {
  const search = route.useSearch()
  const provider = useCurrentProvider()
  const ours = useCapabilities()
  const list = useQuery({
    ...listOf(provider, search),
    placeholderData: keepPreviousData,
  })
  const { tested, test, busy } = useTests()
  const [deleting, setDeleting] = useState<Item>()
  const testable = (list.data?.data ?? []).filter(mayChange)
  return (
    <>
      <PageHeader title={t('Speech services')} total={list.data?.total}>
        {/* only our server tests without cost */}
        {ours && testable.length > 0 && (
          <Button busy={busy} onClick={() => void test(testable)}>
            {busy ? t('Testing…') : t('Test all shown')}
          </Button>
        )}
        {mayWrite() && add}
      </PageHeader>
      <AccountFilters
        search={search}
        label={t('Filter speech services')}
        account={t('Used by')}
        {...(!ours && { everyone: t('Shared by all accounts') })}
      />
      <Table
        label={msg('Speech services')}
        columns={columns(tested)}
        query={list}
        search={search}
        rowKey={(c) => c.speech_credential_sid}
        rowHref={(c) => (isOwn(c) ? hrefOf(c) : undefined)}
        actions={(c) =>
          mayChange(c)
            ? [
                editAction(
                  t('Edit speech service'),
                  editHref('speech_credential', c.speech_credential_sid),
                ),
                {
                  label: t('Test'),
                  icon: <Activity />,
                  onClick: () => void test([c]),
                  common: true,
                },
                {
                  label: t('Delete speech service'),
                  icon: <Trash2 />,
                  onClick: () => setDeleting(c),
                  danger: true,
                },
              ]
            : []
        }
        empty={
          search.filter ? (
            <NoMatch text={t('No speech services match these filters.')} />
          ) : (
            <EmptyState text={t('No speech services.')}>
              {search.account_sid && <ClearFilters />}
              {mayWrite() && add}
            </EmptyState>
          )
        }
      />
      {deleting && (
        <DeleteSpeechCredential credential={deleting} onClose={() => setDeleting(undefined)} />
      )}
    </>
  )
}
