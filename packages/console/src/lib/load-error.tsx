import { ErrorState } from '../ui/states'
import { messageOf, requestIdOf } from './failure'

/** Shows why something could not be loaded, with a retry button. */
export const LoadError = ({ error, retry }: { error: unknown; retry?: () => unknown }) => (
  <ErrorState
    message={messageOf(error)}
    requestId={requestIdOf(error)}
    onRetry={retry && (() => void retry())}
  />
)
