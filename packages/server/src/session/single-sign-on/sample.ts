import { type AccessRule, NO_RULE_MATCHES, type RuleTest, t } from '@switchroom/contract'
import { decodeJwt } from 'jose'
import type { Db } from '../../db/open.ts'
import { Failure, invalidField } from '../../http/failure.ts'
import { accessByRules } from '../../users/provisioning/access.ts'
import { type Claims, withVerifiedEmail } from '../../users/provisioning/rules.ts'
import { roleOf } from '../../users/token-claims.ts'
import { personOf } from './claims.ts'

const isObject = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The claims of a pasted token, whose signature does not matter here, or of pasted JSON. */
function claimsIn(sample: string): Claims {
  try {
    const claims: unknown = sample.startsWith('{') ? JSON.parse(sample) : decodeJwt(sample)
    if (isObject(claims)) return claims
  } catch {
    // not a token either
  }
  throw invalidField('sample', t('Paste an ID token, or its claims as JSON'))
}

/** Result of the rules for somebody with these claims. */
export async function testRules(
  db: Db,
  rules: readonly AccessRule[],
  sample: string,
): Promise<RuleTest> {
  const claims = claimsIn(sample)
  const found = await accessByRules(db, rules, withVerifiedEmail(claims))
  const refused = (problem: string) => ({
    claims,
    matched: found?.matched ?? null,
    user: null,
    problem,
  })
  if (!found) return refused(NO_RULE_MATCHES)
  const { access, matched } = found
  if (!access) return refused(t('The account or service provider of this rule no longer exists.'))
  try {
    const { name, email } = personOf(claims)
    return {
      claims,
      matched,
      user: { name, email, scope: roleOf(access), ...access, ...(await namesOf(db, access)) },
      problem: null,
    }
  } catch (e) {
    if (e instanceof Failure) return refused(e.message)
    throw e
  }
}

async function namesOf(
  db: Db,
  owners: { account_sid: string | null; service_provider_sid: string | null },
) {
  const account = await db
    .selectFrom('accounts')
    .select('name')
    .where('account_sid', '=', owners.account_sid ?? '')
    .executeTakeFirst()
  const provider = await db
    .selectFrom('service_providers')
    .select('name')
    .where('service_provider_sid', '=', owners.service_provider_sid ?? '')
    .executeTakeFirst()
  return { account_name: account?.name ?? null, service_provider_name: provider?.name ?? null }
}
