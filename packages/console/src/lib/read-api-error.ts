import { ApiError, errorBody } from '@switchroom/contract'

/** The error in a response that would otherwise have been a file, audio or a stream. */
export const readApiError = async (response: Response) =>
  new ApiError(response.status, errorBody(await response.json().catch(() => undefined)))
