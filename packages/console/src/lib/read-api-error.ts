import { ApiError, ErrorBody, GENERIC_ERROR } from '@switchroom/contract'

/** The error in a response that would otherwise have been a file, audio or a stream. */
export async function readApiError(response: Response): Promise<ApiError> {
  const body = ErrorBody.safeParse(await response.json().catch(() => undefined))
  return new ApiError(
    response.status,
    body.data ?? { code: 'internal', msg: GENERIC_ERROR, request_id: '', issues: [] },
  )
}
