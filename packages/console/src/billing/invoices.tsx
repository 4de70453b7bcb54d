import { type PastInvoice, t } from '@switchroom/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { send } from '../lib/api'
import { subscriptions } from '../lib/endpoints'
import { LoadError } from '../lib/load-error'
import { useCapabilities } from '../lib/use-capabilities'
import { Button } from '../ui/button'
import { dayText } from '../ui/dates'
import { Section } from '../ui/section'
import { Skeleton } from '../ui/states'
import { Status } from '../ui/status'
import { TableHead } from '../ui/table-head'
import { money } from './money'

const STATES: Record<PastInvoice['status'], { tone: 'ok' | 'warn' | 'bad' | 'off'; word: string }> =
  {
    draft: { tone: 'off', word: t('Draft') },
    open: { tone: 'warn', word: t('Open') },
    paid: { tone: 'ok', word: t('Paid') },
    uncollectible: { tone: 'bad', word: t('Unpaid') },
    void: { tone: 'off', word: t('Void') },
  }

/** Past invoices, newest first. */
export function Invoices() {
  const hasCapabilities = !!useCapabilities()
  const invoices = useInfiniteQuery({
    queryKey: [subscriptions.pastInvoices.path],
    queryFn: ({ pageParam }) =>
      send(subscriptions.pastInvoices, { query: pageParam ? { starting_after: pageParam } : {} }),
    initialPageParam: '',
    getNextPageParam: ({ data, has_more }) => (has_more ? data.at(-1)?.id : undefined),
    enabled: hasCapabilities,
  })
  if (!hasCapabilities) return null
  const all = invoices.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Section title={t('Invoices')}>
      {invoices.error && all.length === 0 && (
        <LoadError error={invoices.error} retry={invoices.refetch} />
      )}
      {invoices.isPending && (
        <div role="status" aria-label={t('Loading invoices')}>
          <Skeleton />
        </div>
      )}
      {invoices.data && all.length === 0 && <p>{t('No invoices yet.')}</p>}
      {all.length > 0 && (
        <table className="invoices">
          <TableHead
            of={[
              t('Date'),
              { start: t('Number'), className: 'invoices-number' },
              t('Status'),
              { end: t('Amount') },
              { end: t('Document') },
            ]}
          />
          <tbody>
            {all.map((invoice) => (
              <Row key={invoice.id} invoice={invoice} />
            ))}
          </tbody>
        </table>
      )}
      {invoices.hasNextPage && (
        <div>
          <Button
            size="small"
            busy={invoices.isFetchingNextPage}
            onClick={() => void invoices.fetchNextPage()}
          >
            {t('Show older invoices')}
          </Button>
        </div>
      )}
    </Section>
  )
}

function Row({ invoice }: { invoice: PastInvoice }) {
  const { tone, word } = STATES[invoice.status]
  const day = dayText(invoice.created * 1000)
  const pdf = invoice.invoice_pdf ?? invoice.hosted_invoice_url
  return (
    <tr>
      <td>{day}</td>
      <td className="invoices-number mono">{invoice.number}</td>
      <td>
        <Status tone={tone}>{word}</Status>
      </td>
      <td data-align="end">{money(invoice.total, invoice.currency)}</td>
      <td data-align="end">
        {pdf && (
          <a
            href={pdf}
            target="_blank"
            rel="noreferrer"
            aria-label={t('Invoice of {day} as PDF, in a new tab', { day })}
          >
            {t('PDF')}
          </a>
        )}
      </td>
    </tr>
  )
}
