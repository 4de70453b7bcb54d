import { ApiError, ErrorBody, GENERIC_ERROR } from '@switchroom/contract'

/** What an answer that is a file, a sound or a stream says when it is a refusal instead. */
export async function refused(response: Response): Promise<ApiError> {
  const body = ErrorBody.safeParse(await response.json().catch(() => undefined))
  return new ApiError(
    response.status,
    body.data ?? { code: 'internal', msg: GENERIC_ERROR, request_id: '', issues: [] },
  )
}
