import type { Application } from '@switchroom/contract'
import { DeleteDialog } from '../lib/delete-dialog'
import { applications } from '../lib/endpoints'

export function DeleteApplication({
  application,
  ...rest
}: {
  application: Pick<Application, 'application_sid' | 'name'>
  onClose: () => void
  onDeleted?: () => unknown
}) {
  return (
    <DeleteDialog
      endpoint={applications.remove}
      sent={{ params: { application_sid: application.application_sid } }}
      title="Delete application"
      question={`Are you sure you want to delete the application ${application.name}?`}
      confirm="Delete application"
      done={`Deleted application ${application.name}`}
      {...rest}
    />
  )
}
