import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { send } from '../../lib/api'
import { runs, type Sent } from '../../lib/endpoints'
import { keepRun } from './queries'

/** Calls the application, and shows the run. */
export function useBegin(application_sid: string) {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (body: Sent<typeof runs.begin>['body']) =>
      send(runs.begin, { params: { application_sid }, body }),
    onSuccess: async (run) => {
      const { run_sid } = run
      keepRun({ application_sid, run_sid }, run)
      await navigate({
        to: '/internal/applications/$application_sid/try/$run_sid',
        params: { application_sid, run_sid },
      })
    },
  })
}
