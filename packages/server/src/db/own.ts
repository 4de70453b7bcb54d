import type { AlertTables } from './own/alerts.ts'
import type { BillingTables } from './own/billing.ts'
import type { CallTables } from './own/calls.ts'
import type { ConversationTables } from './own/conversations.ts'
import type { EventTables } from './own/events.ts'
import type { RoutingTables } from './own/routing.ts'
import type { RunTables } from './own/runs.ts'
import type { ServerTables } from './own/server.ts'
import type { SessionTables } from './own/session.ts'
import type { SpeechTables } from './own/speech.ts'
import type { TenantTables } from './own/tenants.ts'
import type { UserTables } from './own/users.ts'

/** Our own tables beside the platform's, created by the migrations. */
export type OwnTables = AlertTables &
  ServerTables &
  BillingTables &
  CallTables &
  ConversationTables &
  EventTables &
  RoutingTables &
  RunTables &
  SessionTables &
  SpeechTables &
  TenantTables &
  UserTables
