import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import {
  DUPLICATE_USER,
  t,
  USER_COLUMNS,
  USER_IMPORT_MAX_ROWS,
  UserRow,
} from '@switchroom/contract'
import type { z } from 'zod'
import type { Db } from '../db/open.ts'
import type { Context } from '../http/context.ts'
import { newHashOfMany } from '../http/password.ts'
import type { Scope } from '../http/scope.ts'
import {
  type Bad,
  exactlyOne,
  firstOf,
  isBad,
  type NamedRow,
  namedBy,
  ownerOf,
} from '../imports/names.ts'
import type { ImportSpec, Resolved, Row } from '../imports/spec.ts'
import * as settings from '../tenants/settings/queries.ts'
import { emailProvenBy, managesOnceUnrestricted } from './checks.ts'
import * as takenUsers from './taken.ts'
import { permissionFor, type Rights } from './token-claims.ts'
import * as userWrites from './writes.ts'

type Cells = z.output<typeof UserRow>
type Owners = { account_sid: string | null; service_provider_sid: string | null }
type Found = Record<'accounts' | 'providers', (cell: string) => NamedRow[]>
type Ready = {
  user: Owners &
    Pick<Cells, 'name' | 'email' | 'is_active' | 'force_change'> & {
      user_sid: string
      provider: 'local'
    }
  rights: Rights
  /** In clear text until it is hashed. */
  password: string
}

/** A name as the platform's database compares it: without case and accents. */
const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Owner of the user that a row adds: nobody above the caller, and nobody that the caller cannot see. */
function ownersOf(
  scope: Scope,
  provider: string | undefined,
  row: Cells,
  { accounts, providers }: Found,
): Owners | Bad {
  const above =
    (row.scope === 'admin' && scope.role !== 'admin') ||
    (row.scope === 'service_provider' && scope.role === 'account')
  if (above) return { column: 'scope', message: t('You cannot add users of this scope') }
  const column = 'service_provider'
  if (row.scope === 'admin') {
    if (row.account) return { column: 'account', message: t('An administrator has no account') }
    if (row.service_provider)
      return { column, message: t('An administrator has no service provider') }
    return { account_sid: null, service_provider_sid: null }
  }
  const named = row.service_provider
    ? exactlyOne(
        providers(row.service_provider).filter(
          (p) => scope.role === 'admin' || p.sid === scope.service_provider_sid,
        ),
        column,
      )
    : undefined
  if (named && isBad(named)) return named
  const within = named?.sid ?? provider
  if (row.scope === 'service_provider') {
    if (row.account)
      return { column: 'account', message: t('A user of a service provider has no account') }
    const own = scope.role === 'admin' ? undefined : scope.service_provider_sid
    const service_provider_sid = within ?? own
    return service_provider_sid
      ? { account_sid: null, service_provider_sid }
      : { column, message: t('Enter the service provider') }
  }
  return (
    ownerOf(scope, within, accounts, row.account) ?? {
      column: 'account',
      message: t('Enter the account'),
    }
  )
}

/** The CSV import of users. `provider`: whose account names the file uses. */
export function userImport(
  ctx: Pick<Context, 'memory' | 'config'>,
  scope: Scope,
  provider: string | undefined,
): ImportSpec<Cells, Ready> {
  const firstName = firstOf()
  const firstEmail = firstOf()
  /** By line: an estimate takes milliseconds, and others wait when rows are checked again. */
  const refused = new Map<number, string | undefined>()

  async function whyRefused(
    { line, row: { password, name, email } }: Row<Cells>,
    rules: settings.Rules,
  ) {
    if (!refused.has(line)) {
      refused.set(line, await settings.whyRefused(ctx, password, rules, { name, email }))
      await setImmediate()
    }
    return refused.get(line)
  }

  async function resolve(tx: Db, rows: Row<Cells>[]): Promise<Resolved<Ready>[]> {
    const cells = <K extends keyof Cells>(name: K) => rows.map((r) => r.row[name])
    const found = {
      accounts: await namedBy(tx, 'accounts', cells('account')),
      providers: await namedBy(tx, 'service_providers', cells('service_provider')),
    }
    const stored = await takenUsers.taken(tx, cells('name'), cells('email'))
    const names = new Set(stored.names.map(folded))
    const emails = new Set(stored.emails.map(folded))
    const rules = await settings.passwordRules(tx)

    async function one({ line, row }: Row<Cells>): Promise<Resolved<Ready>> {
      const owners = ownersOf(scope, provider, row, found)
      if (isBad(owners)) return owners
      const { name, email, is_active, force_change, password } = row
      if (names.has(folded(name))) return { column: 'name', message: DUPLICATE_USER }
      if (emails.has(folded(email))) return { column: 'email', message: DUPLICATE_USER }
      const named = firstName(line, folded(name))
      if (named)
        return { column: 'name', message: t('Duplicate of the name in line {named}', { named }) }
      const at = firstEmail(line, folded(email))
      if (at) return { column: 'email', message: t('Duplicate of the email in line {at}', { at }) }
      const reason = await whyRefused({ line, row }, rules)
      if (reason) return { column: 'password', message: reason }
      const user_sid = randomUUID()
      return {
        ready: {
          user: { user_sid, name, email, is_active, force_change, provider: 'local', ...owners },
          rights: {
            is_view_only: row.is_view_only === 1,
            manages_users: row.is_view_only !== 1 && managesOnceUnrestricted(scope),
          },
          password,
        },
      }
    }
    const resolved: Resolved<Ready>[] = []
    for (const row of rows) resolved.push(await one(row))
    return resolved
  }

  return {
    kind: 'user',
    columns: USER_COLUMNS,
    row: UserRow,
    most: USER_IMPORT_MAX_ROWS,
    lock: () => 'users',
    quota: { table: 'users', accountOf: ({ user }) => user.account_sid },
    resolve,
    finish: async (row) => ({ ...row, password: await newHashOfMany(ctx, row.password) }),
    insert: (tx, ready) =>
      userWrites.insertAll(
        tx,
        ready.map(({ user, password }) => ({
          ...user,
          email_validated: emailProvenBy(ctx, scope),
          hashed_password: password,
        })),
        ready.flatMap(({ user: { user_sid }, rights }) => {
          const permission = permissionFor(rights)
          return permission ? [{ user_permissions_sid: randomUUID(), user_sid, permission }] : []
        }),
      ),
    added: ({ user, rights }) => ({ sid: user.user_sid, subject: { ...user, ...rights } }),
  }
}
