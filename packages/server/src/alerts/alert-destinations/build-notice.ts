import { randomUUID } from 'node:crypto'
import { Alert } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import type { Notice } from './message.ts'
import type { Row } from './queries.ts'

const link = ({ config }: Pick<Context, 'config'>) => `${config.base_url ?? ''}/internal/alerts`

/** A test message, which shows whether messages arrive. */
export const testNotice = (ctx: Pick<Context, 'config'>, row: Row, now: number): Notice => ({
  delivery_sid: randomUUID(),
  alert: {
    time: new Date(now).toISOString(),
    account_sid: row.account_sid,
    service_provider_sid: row.service_provider_sid,
    alert_type: 'alert-from-application',
    message: 'Switchroom can send alerts here.',
    detail: null,
    target_sid: null,
    vendor: null,
  },
  account_name: null,
  link: link(ctx),
  about: `switchroom:${row.alert_destination_sid}:test`,
  is_test: true,
})

type Delivery = {
  alert_destination_sid: string
  account_sid: string
  alert_type: string
  delivery_sid: string
  alert: string
}

/** The message of a delivery. */
export const noticeOf = (
  ctx: Pick<Context, 'config'>,
  d: Delivery,
  account_name: string | null,
): Notice => ({
  delivery_sid: d.delivery_sid,
  alert: Alert.parse(JSON.parse(d.alert)),
  account_name,
  link: link(ctx),
  about: `switchroom:${d.alert_destination_sid}:${d.account_sid}:${d.alert_type}`,
  is_test: false,
})
