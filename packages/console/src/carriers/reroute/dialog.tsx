import {
  DEFAULT_ROUTE,
  type LcrView,
  prefixText,
  rerouted,
  rerouteText,
  t,
} from '@switchroom/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { query, queryClient, send } from '../../lib/api'
import { failures, lcrs } from '../../lib/endpoints'
import { messageOf, statusOf } from '../../lib/failure'
import { INLINE } from '../../lib/inline'
import { countAgain } from '../../lib/issue-count'
import { PlainLink } from '../../lib/plain-link'
import { sendChange } from '../../lib/send-change'
import { thingHref } from '../../lib/thing-href'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { rich } from '../../ui/rich'
import { ErrorState, Skeleton } from '../../ui/states'
import { toastError, toastSuccess } from '../../ui/toast'
import { ReplayComparison } from '../replay/result'
import { evidenceText, type Offered } from './evidence-text'

const CHANGED = t('Someone has changed this routing table since. Close this and open it again.')

/** Shows the change, what it would have done to the calls of the last day, and saves it. The failure is watched then. */
export function RerouteDialog({
  reroute,
  failure_sid,
  onClose,
}: {
  reroute: Offered
  failure_sid: string
  onClose: () => void
}) {
  const { lcr_sid, version, carrier, prefix } = reroute
  const table = useQuery({ ...query(lcrs.view, { params: { lcr_sid } }), ...INLINE })
  const isOld = table.data !== undefined && table.data.version !== version
  const save = useMutation({
    mutationFn: (body: { routes: ReturnType<typeof rerouted> }) =>
      sendChange(lcrs.update, { params: { lcr_sid }, body, version }),
    onSuccess: async ({ undo }) => {
      await watch(failure_sid, carrier.voip_carrier_sid)
      const text = t('{carrier} is first for {prefix} now', {
        carrier: carrier.name,
        prefix: prefixText(prefix),
      })
      toastSuccess(
        text,
        undo &&
          (async () => {
            const isUndone = await undo()
            if (isUndone) await watch(failure_sid, null)
            return isUndone
          }),
      )
      onClose()
    },
  })
  const title = rerouteText(reroute)
  const routes = table.data && rerouted(table.data.routes, reroute)
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={title}
      confirm={t('Save')}
      confirming={t('Saving…')}
      look="primary"
      busy={save.isPending}
      disabled={!routes || isOld}
      error={isOld || statusOf(save.error) === 409 ? CHANGED : save.error && messageOf(save.error)}
      onConfirm={() => routes && save.mutate({ routes })}
    >
      <div className="dialog-body">
        {table.data ? (
          <>
            <p>
              <Change reroute={reroute} table={table.data} />
            </p>
            <p>{evidenceText(reroute)}</p>
            <h3 className="reroute-title">{t('The last 24 hours with this change')}</h3>
            <ReplayComparison
              draft={{ lcr: { lcr_sid, routes: withDefault(table.data, routes!) } }}
            />
            <p className="hint">
              {t('The failure is watched afterwards, and closes when calls show that it worked.')}
            </p>
          </>
        ) : table.error ? (
          <ErrorState message={messageOf(table.error)} onRetry={() => void table.refetch()} />
        ) : (
          <Skeleton height={160} />
        )}
      </div>
    </ConfirmDialog>
  )
}

/** Begins or ends the watch, of which every list shows the state. */
async function watch(failure_sid: string, rerouted_to: string | null) {
  try {
    await send(failures.update, { params: { failure_sid }, body: { rerouted_to } })
  } catch (error) {
    toastError(
      t('The change is saved, but the failure is not watched. {message}', {
        message: messageOf(error),
      }),
    )
  } finally {
    void queryClient.invalidateQueries()
    void countAgain()
  }
}

const withDefault = ({ default_carrier }: LcrView, routes: ReturnType<typeof rerouted>) => [
  ...routes.map(({ regex, priority, lcr_carrier_set_entries }) => ({
    regex,
    priority,
    lcr_carrier_set_entries: lcr_carrier_set_entries.map(({ voip_carrier_sid, priority }) => ({
      voip_carrier_sid,
      priority,
    })),
  })),
  ...(default_carrier
    ? [{ ...DEFAULT_ROUTE, lcr_carrier_set_entries: [{ voip_carrier_sid: default_carrier }] }]
    : []),
]

function Change({
  reroute: { lcr_sid, lcr_name, pattern, lcr_route_sid, before, carrier, replaces },
  table,
}: {
  reroute: Offered
  table: LcrView
}) {
  const next = table.routes.find((r) => r.lcr_route_sid === before)
  const parts = {
    pattern: <code>{pattern}</code>,
    table: <PlainLink href={thingHref('lcr', lcr_sid)}>{lcr_name || t('Routing table')}</PlainLink>,
    carrier: carrier.name,
    old: replaces.name,
  }
  if (lcr_route_sid)
    return rich(
      'In {table}, the route {pattern} goes to {carrier} first, in place of {old}. Only the first carrier of a route is ever used.',
      parts,
    )
  return next
    ? rich(
        'In {table}, a new route {pattern} to {carrier} goes before {next}. Its calls leave by {old} today.',
        { ...parts, next: <code>{next.regex}</code> },
      )
    : rich(
        'In {table}, a new route {pattern} to {carrier} goes before the default carrier. Its calls leave by {old} today.',
        parts,
      )
}
