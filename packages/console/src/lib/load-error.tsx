import { ErrorState } from '../ui/states'
import { messageOf, requestIdOf } from './failure'

/** In place of what could not be loaded: why, and another try. */
export const LoadError = ({ error, retry }: { error: unknown; retry?: () => unknown }) => (
  <ErrorState
    message={messageOf(error)}
    requestId={requestIdOf(error)}
    onRetry={retry && (() => void retry())}
  />
)
