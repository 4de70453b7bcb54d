import { type SimulatedCaller, t } from '@switchroom/contract'
import { type DeleteCallbacks, DeleteDialog } from '../../lib/delete-dialog'
import { simulatedCallers } from '../../lib/endpoints'

export const DeleteSimulatedCaller = ({
  caller: { application_sid, simulated_caller_sid, name },
  ...rest
}: {
  caller: Pick<SimulatedCaller, 'application_sid' | 'simulated_caller_sid' | 'name'>
} & DeleteCallbacks) => (
  <DeleteDialog
    endpoint={simulatedCallers.remove}
    sent={{ params: { application_sid, simulated_caller_sid } }}
    title={t('Delete simulated caller')}
    question={t('Are you sure you want to delete the simulated caller {name}?', { name })}
    done={t('Deleted simulated caller {name}', { name })}
    {...rest}
  />
)
