import type { Application, ThingUse } from '@switchroom/contract'
import { DeleteDialog } from '../lib/delete-dialog'
import { applications } from '../lib/endpoints'
import { MoveNumbers } from '../lib/move-numbers'
import { useApplicationChoices } from '../lib/pickers'

export function DeleteApplication({
  application,
  ...rest
}: {
  application: Pick<Application, 'application_sid' | 'account_sid' | 'name'>
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
      used={{
        kind: 'application',
        sid: application.application_sid,
        remedy: (use) => <Remedy application={application} use={use} />,
      }}
      {...rest}
    />
  )
}

function Remedy({
  application,
  use,
}: {
  application: Pick<Application, 'application_sid' | 'account_sid'>
  use: ThingUse
}) {
  const { nothing: _, ...choices } = useApplicationChoices(application.account_sid ?? '', '')
  if (use.of !== 'phone_number') return null
  return (
    <MoveNumbers
      of="application_sid"
      from={application.application_sid}
      count={use.total}
      label="Application"
      choices={choices}
    />
  )
}
