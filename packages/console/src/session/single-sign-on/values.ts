import { type AccessRule, MASK } from '@switchroom/contract'
import { query } from '../../lib/api'
import { type Reply, type Sent, singleSignOn } from '../../lib/endpoints'

export const settingsQuery = () => query(singleSignOn.view, {})
export type View = Reply<typeof singleSignOn.view>

/** A rule in the form; owners that its scope does not have are empty. */
export type RuleValues = Omit<AccessRule, 'service_provider_sid' | 'account_sid'> & {
  key: string
  service_provider_sid: string
  account_sid: string
}

export const newRule = (): RuleValues => ({
  key: crypto.randomUUID(),
  claim: 'groups',
  operator: 'contains',
  value: '',
  scope: 'account',
  service_provider_sid: '',
  account_sid: '',
  is_view_only: false,
})

// the same keys for the same rules, so that reading them again is no change
const ruleValues = (rule: AccessRule, i: number): RuleValues => ({
  ...rule,
  key: `stored-${i}`,
  service_provider_sid: rule.service_provider_sid ?? '',
  account_sid: rule.account_sid ?? '',
})

export const valuesOf = (view: View) => ({
  is_active: view.is_active === 1,
  is_enforced: view.is_enforced === 1,
  name: view.name,
  issuer: view.issuer,
  client_id: view.client_id,
  client_secret: undefined as string | undefined,
  scopes: view.scopes,
  directory_claim: view.directory_claim,
  rules: view.rules.map(ruleValues),
  break_glass: view.break_glass.map(({ user_sid, name }) => ({ user_sid, name })),
})
export type Values = ReturnType<typeof valuesOf>

export const rulesToSend = (rules: Values['rules']) => rules.map(({ key: _, ...rule }) => rule)

export const toSend = (v: Values, view: View): Sent<typeof singleSignOn.update> => ({
  body: {
    ...v,
    client_secret: v.client_secret === undefined ? view.client_secret && MASK : v.client_secret,
    rules: rulesToSend(v.rules),
    break_glass: v.break_glass.map((u) => u.user_sid),
  },
})
