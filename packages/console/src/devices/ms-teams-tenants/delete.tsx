import { type MsTeamsTenant, t } from '@switchroom/contract'
import { type DeleteCallbacks, DeleteDialog } from '../../lib/delete-dialog'
import { msTeamsTenants } from '../../lib/endpoints'

export function DeleteMsTeamsTenant({
  tenant: { ms_teams_tenant_sid, tenant_fqdn },
  ...rest
}: {
  tenant: MsTeamsTenant
} & DeleteCallbacks) {
  return (
    <DeleteDialog
      endpoint={msTeamsTenants.remove}
      sent={{ params: { ms_teams_tenant_sid } }}
      title={t('Delete Microsoft Teams tenant')}
      question={t('Are you sure you want to delete the {tenant_fqdn} Microsoft Teams Tenant?', {
        tenant_fqdn,
      })}
      done={t('Deleted Microsoft Teams Tenant {tenant_fqdn}', { tenant_fqdn })}
      {...rest}
    />
  )
}
