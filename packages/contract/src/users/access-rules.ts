import { z } from 'zod'
import { ROLES } from '../wire/claims.ts'
import { Text } from '../wire/common.ts'
import { StringOrNull } from '../wire/fields.ts'
import { keysOf } from '../wire/records.ts'
import { t } from '../wire/text.ts'

/** Comparison of a claim with the value of a rule. */
export const RULE_OPERATORS = {
  contains: t('contains'),
  equals: t('equals'),
  exists: t('is present'),
} as const
export type RuleOperator = keyof typeof RULE_OPERATORS
const OPERATORS = keysOf(RULE_OPERATORS)

const grant = {
  scope: z.enum(ROLES),
  /** Provider of a service provider's user. */
  service_provider_sid: StringOrNull,
  /** Account of an account's user; it implies the provider. */
  account_sid: StringOrNull,
  is_view_only: z.boolean(),
}
/** The access that a user is granted. */
export const AccessGrant = z.object(grant)
export type AccessGrant = z.infer<typeof AccessGrant>

/** Users whose claim matches get this access. The first matching rule of a list applies. */
export const AccessRule = z.object({
  /** A member of the token, such as `groups`; members of members with dots, such as `realm_access.roles`. */
  claim: z.string(),
  operator: z.enum(OPERATORS),
  value: z.string(),
  ...grant,
})
export type AccessRule = z.infer<typeof AccessRule>

const OwnerIn = z
  .guid(t('Choose one from the list'))
  .or(z.literal(''))
  .nullish()
  .transform((sid) => sid?.toLowerCase() || null)

const grantIn = {
  scope: z.enum(ROLES, t('Choose a scope')),
  service_provider_sid: OwnerIn,
  account_sid: OwnerIn,
  is_view_only: z.boolean().default(false),
}

type GrantIn = { scope: (typeof ROLES)[number] } & Record<
  'service_provider_sid' | 'account_sid',
  string | null
>
function checkOwner(grant: GrantIn, check: z.RefinementCtx) {
  const missing = (field: string, message: string) =>
    check.addIssue({ code: 'custom', path: [field], message })
  if (grant.scope === 'account' && !grant.account_sid)
    missing('account_sid', t('Choose an account'))
  if (grant.scope === 'service_provider' && !grant.service_provider_sid)
    missing('service_provider_sid', t('Choose a service provider'))
}
/** Drops the owners that the scope does not have. */
const ownersOf = <G extends GrantIn>(grant: G) => ({
  ...grant,
  account_sid: grant.scope === 'account' ? grant.account_sid : null,
  service_provider_sid: grant.scope === 'service_provider' ? grant.service_provider_sid : null,
})

export const AccessGrantIn = z.object(grantIn).superRefine(checkOwner).transform(ownersOf)

export const AccessRuleIn = z
  .object({
    claim: Text(200),
    operator: z.enum(OPERATORS, t('Choose a comparison')),
    value: z.string().trim().max(500).default(''),
    ...grantIn,
  })
  .superRefine((rule, check) => {
    checkOwner(rule, check)
    if (rule.operator !== 'exists' && !rule.value)
      check.addIssue({ code: 'custom', path: ['value'], message: t('Enter a value') })
  })
  .transform(ownersOf)

export const MAX_ACCESS_RULES = 100
export const AccessRulesIn = z
  .array(AccessRuleIn)
  .max(MAX_ACCESS_RULES, t('Use at most {MAX_ACCESS_RULES} rules', { MAX_ACCESS_RULES }))

/** Shown to users whom no rule lets in. */
export const NO_RULE_MATCHES = t(
  'No access rule applies to you. Ask an administrator of this console for access.',
)
