import {
  REQUEST_KINDS,
  REQUEST_OUTCOMES,
  TEST_HOOKS,
  type WebhookRequest,
} from '@switchroom/contract'
import { Status } from '../../ui/status'

/** Purpose of a request: "Test request: Calling webhook". */
export const kindText = ({ kind, hook }: WebhookRequest) =>
  hook ? `${REQUEST_KINDS[kind]}: ${TEST_HOOKS[hook]}` : REQUEST_KINDS[kind]

/** How a request ended, with the HTTP status if there is one. */
export const RequestStatus = ({ request: { outcome, status } }: { request: WebhookRequest }) => (
  <Status tone={outcome === 'accepted' ? 'ok' : 'bad'}>
    {status === null ? REQUEST_OUTCOMES[outcome] : `${status} ${REQUEST_OUTCOMES[outcome]}`}
  </Status>
)
