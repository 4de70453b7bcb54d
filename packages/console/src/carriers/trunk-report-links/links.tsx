import { t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../lib/api'
import { DeleteDialog } from '../../lib/delete-dialog'
import { trunkReportLinks } from '../../lib/endpoints'
import { ReportLinksDialog } from '../../lib/report-links'
import { rich } from '../../ui/rich'
import { mayChangeCarrier } from '../voip-carriers/may'
import { NewLink } from './new-link'

export type LinksOf = { voip_carrier_sid: string; account_sid: string | null; name: string }

/** The links to the trunk report of a carrier, to make and to revoke. */
export function TrunkReportLinks({ carrier, onClose }: { carrier: LinksOf; onClose: () => void }) {
  const { voip_carrier_sid } = carrier
  return (
    <ReportLinksDialog
      title={t('Trunk report')}
      intro={rich(
        'A page for the support staff of {name}, without a log-in. It shows the last 30 days of this trunk: calls per day, causes of failure, and the SIP of some failed calls with numbers shortened and names left out.',
        { name: carrier.name },
      )}
      list={useQuery(query(trunkReportLinks.list, { params: { voip_carrier_sid } }))}
      keyOf={(link) => link.trunk_report_link_sid}
      mayChange={mayChangeCarrier(carrier)}
      newLink={(back) => <NewLink voip_carrier_sid={voip_carrier_sid} onClose={back} />}
      revoke={({ trunk_report_link_sid }, dialog) => (
        <DeleteDialog
          endpoint={trunkReportLinks.revoke}
          sent={{ params: { trunk_report_link_sid } }}
          {...dialog}
        />
      )}
      onClose={onClose}
    />
  )
}
