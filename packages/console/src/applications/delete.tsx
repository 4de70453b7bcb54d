import { type Application, type ThingUse, t } from '@switchroom/contract'
import { lazy, Suspense } from 'react'
import { type DeleteCallbacks, DeleteDialog } from '../lib/delete-dialog'
import { applications } from '../lib/endpoints'
import { useApplicationChoices } from '../lib/pickers'

// few that are deleted have numbers
const MoveNumbers = lazy(async () => ({
  default: (await import('../lib/move-numbers')).MoveNumbers,
}))

export function DeleteApplication({
  application,
  ...rest
}: {
  application: Pick<Application, 'application_sid' | 'account_sid' | 'name'>
} & DeleteCallbacks) {
  return (
    <DeleteDialog
      endpoint={applications.remove}
      sent={{ params: { application_sid: application.application_sid } }}
      title={t('Delete application')}
      question={t('Are you sure you want to delete the application {name}?', {
        name: application.name,
      })}
      done={t('Deleted application {name}', { name: application.name })}
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
  const { isEmpty: _, ...choices } = useApplicationChoices(application.account_sid ?? '', '')
  if (use.of !== 'phone_number') return null
  return (
    <Suspense>
      <MoveNumbers
        of="application_sid"
        from={application.application_sid}
        count={use.total}
        label={t('Application to move numbers to')}
        choices={choices}
      />
    </Suspense>
  )
}
