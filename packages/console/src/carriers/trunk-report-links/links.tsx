import { numberText, type TrunkReportLink, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../lib/api'
import { DeleteDialog } from '../../lib/delete-dialog'
import { trunkReportLinks } from '../../lib/endpoints'
import { LoadError } from '../../lib/load-error'
import { Button } from '../../ui/button'
import { Dialog, DialogFoot } from '../../ui/dialog'
import { rich } from '../../ui/rich'
import { EmptyState, LoadingState } from '../../ui/states'
import { Badge } from '../../ui/status'
import { Time } from '../../ui/time'
import { mayChangeCarrier } from '../voip-carriers/may'
import { NewLink } from './new-link'
import '../../lib/table.css'

export type LinksOf = { voip_carrier_sid: string; account_sid: string | null; name: string }

/** The links to the trunk report of a carrier, to make and to revoke. */
export function TrunkReportLinks({ carrier, onClose }: { carrier: LinksOf; onClose: () => void }) {
  const { voip_carrier_sid } = carrier
  const list = useQuery(query(trunkReportLinks.list, { params: { voip_carrier_sid } }))
  const [shown, setShown] = useState<'list' | 'new' | TrunkReportLink>('list')
  const back = () => setShown('list')
  const mayChange = mayChangeCarrier(carrier)
  if (shown === 'new') return <NewLink voip_carrier_sid={voip_carrier_sid} onClose={back} />
  if (shown !== 'list')
    return (
      <DeleteDialog
        endpoint={trunkReportLinks.revoke}
        sent={{ params: { trunk_report_link_sid: shown.trunk_report_link_sid } }}
        title={t('Revoke link')}
        question={
          <p>
            {rich('The link for {strong} stops working at once.', {
              strong: <strong>{shown.label}</strong>,
            })}
          </p>
        }
        confirm={t('Revoke link')}
        done={t('Link revoked')}
        onClose={back}
      />
    )
  return (
    <Dialog open wide onClose={onClose} title={t('Trunk report')}>
      <div className="dialog-body">
        <p>
          {rich(
            'A page for the support staff of {name}, without a log-in. It shows the last 30 days of this trunk: calls per day, causes of failure, and the SIP of some failed calls with numbers shortened and names left out.',
            { name: carrier.name },
          )}
        </p>
        {list.error && !list.data ? (
          <LoadError error={list.error} retry={list.refetch} />
        ) : list.data ? (
          <List links={list.data} {...(mayChange && { onRevoke: setShown })} />
        ) : (
          <LoadingState text={t('Loading the links')} />
        )}
        <DialogFoot>
          <Button onClick={onClose}>{t('Close')}</Button>
          {mayChange && (
            <Button look="primary" onClick={() => setShown('new')}>
              {t('Make a link')}
            </Button>
          )}
        </DialogFoot>
      </div>
    </Dialog>
  )
}

function List({
  links,
  onRevoke,
}: {
  links: TrunkReportLink[]
  onRevoke?: (link: TrunkReportLink) => void
}) {
  if (links.length === 0) return <EmptyState text={t('No links yet.')} />
  return (
    <div className="table-box">
      <table className="table" aria-label={t('Links')}>
        <thead>
          <tr>
            <th scope="col">{t('For')}</th>
            <th scope="col">{t('Made')}</th>
            <th scope="col">{t('Ends')}</th>
            <th scope="col">{t('Last opened')}</th>
            <th scope="col" data-align="end">
              {t('Opened')}
            </th>
            {onRevoke && (
              <th scope="col">
                <span className="visually-hidden">{t('Actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {links.map((link) => (
            <tr key={link.trunk_report_link_sid}>
              <td data-label={t('For')}>{link.label}</td>
              <td data-label={t('Made')}>
                {rich('{time} by {made_by}', {
                  time: <Time at={link.created_at} />,
                  made_by: link.made_by,
                })}
              </td>
              <td data-label={t('Ends')}>
                {Date.parse(link.ends_at) <= Date.now() ? (
                  <Badge>{t('Ended')}</Badge>
                ) : (
                  <Time at={link.ends_at} />
                )}
              </td>
              <td data-label={t('Last opened')}>
                <Time at={link.last_opened_at} />
              </td>
              <td data-label={t('Opened')} data-align="end">
                {numberText(link.opens)}
              </td>
              {onRevoke && (
                <td>
                  <Button
                    size="small"
                    look="quiet"
                    aria-label={t('Revoke the link for {label}', { label: link.label })}
                    onClick={() => onRevoke(link)}
                  >
                    {t('Revoke')}
                  </Button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
