import type { Answer, RunView } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { queryClient, send } from '../../lib/api'
import { runs } from '../../lib/endpoints'
import { messageOf, statusOf } from '../../lib/failure'
import { toastError } from '../../ui/toast'
import { viewOf } from './queries'

/** Answers the question of a run. If someone else has answered it, shows a message and reloads the run. */
export function useAnswer({ application_sid, run_sid }: RunView) {
  const params = { application_sid, run_sid }
  return useMutation({
    mutationFn: (body: { question: number; answer: Answer }) => send(runs.answer, { params, body }),
    onError: (error) => {
      // the question is gone, and with it the place for what is wrong
      if (statusOf(error) === 422) toastError(messageOf(error))
      return queryClient.invalidateQueries(viewOf(params))
    },
  })
}
