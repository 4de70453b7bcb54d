import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Break } from './table.ts'

/**
 * Every guard of the server, found in its sources: conditions on the caller's scope, refusals, and calls that refuse.
 * Each can be taken away alone. A new one is found by itself.
 */
export type Guard = Omit<Break, 'find'> & {
  /** The code to change. */
  index: number
  length: number
  /** Tests of every endpoint, if those of the room notice nothing. */
  further: Pick<Break, 'tests' | 'only'>[]
}

const ANYBODY = "{ role: 'admin' } as never"
const TENANCY = 'packages/server/src/http/tenancy.ts'
/** Exports of http/tenancy.ts that are conditions, but no guards. */
const NO_GUARDS = ['below', 'ownerless']
const REFUSALS =
  /^new Failure\(\s*(?:'(?:forbidden|unauthenticated|too_many)'|'not_found', (?:t\()?'Not Found')/

/** Rooms that show what the platform keeps in Redis, which tests have beside MariaDB. */
const NEEDS_REDIS = /\/(?:live-calls|queues|registered-users)\//

/** Guards that no test can miss, since what follows refuses as well: where they are, and what does. */
export const REFUSED_TWICE: { file: string; code: string; by: string }[] = [
  {
    file: 'packages/server/src/routing/route-simulations/carrier-queries.ts',
    code: "visibleTo('voip_carriers', { account_sid, service_provider_sid })",
    by: 'the simulation, which takes no carriers but those of the owner: this one reads fewer rows',
  },
  {
    file: 'packages/server/src/health/backups/restore.ts',
    code: 'await refuseOccupied(target)\n    await moveInto',
    by: 'the renaming, which replaces no folder with something in it',
  },
  {
    file: 'packages/server/src/health/backups/write.ts',
    code: 'await refuseExisting(job.file)\n    makeFolder(folder',
    by: 'the same check before the archive gets its name: this one saves the work of making it',
  },
  {
    file: 'packages/server/src/billing/subscriptions.ts',
    code: 'if (!account) throw notFound()',
    by: 'the check of the token, which lets nobody in whose account is gone',
  },
  {
    file: 'packages/server/src/tenants/accounts/routes.ts',
    code: 'await requireVisible(ctx, scope, account_sid)\n    await checkDeleter',
    by: 'the same check in the transaction',
  },
  {
    file: 'packages/server/src/tenants/accounts/routes.ts',
    code: 'const stored = subject.row()\n      if (!stored) throw accountNotFound(scope)\n      realm',
    by: 'the same check before the transaction, unless the account is deleted in between',
  },
  {
    file: 'packages/server/src/tenants/api-keys/queries.ts',
    code: "const matching = db.selectFrom('api_keys').where(inScope(scope))",
    by: 'the look-up of the owner in the path; the list without one is for administrators',
  },
  {
    file: 'packages/server/src/tenants/api-keys/routes.ts',
    code: "if (edited.view_only) throw new Failure('forbidden', t('This API key can only read'))",
    by: 'the refusal of all writes by such a key, unless it became one since it was let in',
  },
  {
    file: 'packages/server/src/tenants/limits/queries.ts',
    code: "const inScope = ownedBy('service_providers', whose)",
    by: 'the look-up of the provider in the path, which cannot move',
  },
  {
    file: 'packages/server/src/tenants/service-providers/queries.ts',
    code: `.deleteFrom('service_providers')
    .where('service_provider_sid', '=', service_provider_sid)
    .where(inScope(scope))`,
    by: 'the endpoint, which is for administrators',
  },
  {
    file: 'packages/server/src/http/authenticate.ts',
    code: "if (claims === 'expired') throw unauthorized()",
    by: 'the check for a user, which such a token does not name',
  },
  {
    file: 'packages/server/src/http/authenticate.ts',
    code: 'if (!user_sid) throw unauthorized()',
    by: 'the look-up of the session, which finds none of nobody',
  },
  {
    file: 'packages/server/src/http/authenticate.ts',
    code: 'if (!service_provider_sid) throw unauthorized()',
    by: 'the foreign key: the API keys of an account go with it',
  },
  {
    file: 'packages/server/src/session/registration/oauth.ts',
    code: "if (!user) throw new Failure('forbidden', t('This user is not allowed to log in.'))",
    by: 'the look-up of the user whose identity it is, unless it is deleted in between',
  },
  {
    file: 'packages/server/src/session/routes.ts',
    code: "throw new Failure('unauthenticated', t('Unauthorized'))\n    }\n    // a local session",
    by: 'the check of the token, unless the user is deactivated in between',
  },
  {
    file: 'packages/server/src/session/routes.ts',
    code: "if (!token) throw new Failure('unauthenticated', t('Unauthorized'))",
    by: 'the check of the token, unless the session ends in between',
  },
  {
    file: 'packages/server/src/session/routes.ts',
    code: "if (!user) throw new Failure('unauthenticated', t('Unauthorized'))",
    by: 'the check of the token, unless the user is deleted in between',
  },
  {
    file: 'packages/server/src/tenants/accounts/remove.ts',
    code: "db.deleteFrom('accounts').where('account_sid', '=', sid).where(inScope(scope))",
    by: 'the first change of the row, which locks it and changes nothing of others',
  },
  {
    file: 'packages/server/src/session/passkeys/webauthn.ts',
    code: 'if (challenge === undefined) throw refused()',
    by: 'the look-up of the challenge, which finds none',
  },
  {
    file: 'packages/server/src/session/passkeys/webauthn.ts',
    code: 'if (!registrationInfo) throw refused()',
    by: 'the line after it, which cannot read what is missing',
  },
]

type Source = { file: string; text: string }

const read = (file: string): Source => ({ file, text: readFileSync(file, 'utf8') })

/** The index behind the parenthesis that closes the one at `open`, past strings and comments. */
function closing(text: string, open: number): number {
  let depth = 0
  for (let i = open; i < text.length; i++) {
    const c = text[i]!
    if (c === "'" || c === '"' || c === '`') {
      for (i++; i < text.length && text[i] !== c; i++) if (text[i] === '\\') i++
    } else if (text.startsWith('//', i) && text[i - 1] !== ':') i = text.indexOf('\n', i)
    else if ('([{'.includes(c)) depth++
    else if (')]}'.includes(c) && --depth === 0) return i + 1
  }
  throw new Error(`nothing closes the parenthesis at ${open}`)
}

/** Finds the beginning and end of each argument of the call with this opening parenthesis. */
function argumentsOf(text: string, open: number) {
  const end = closing(text, open) - 1
  const parts: { from: number; to: number }[] = []
  let from = open + 1
  for (let i = from; i < end; i++) {
    if ('([{'.includes(text[i]!)) i = closing(text, i) - 1
    else if (text[i] === ',') {
      parts.push({ from, to: i })
      from = i + 1
    }
  }
  if (text.slice(from, end).trim() !== '') parts.push({ from, to: end })
  return parts
}

/** Exports of http/tenancy.ts that return a condition. */
export const conditions = () => {
  const { text } = read(TENANCY)
  const exported = [...text.matchAll(/^export (?:function|const) (\w+)/gm)]
  return exported
    .filter((found, i) => {
      const all = text.slice(found.index, exported[i + 1]?.index)
      return /\): Condition\b/.test(all)
    })
    .map(([, name]) => name!)
    .filter((name) => !NO_GUARDS.includes(name))
}

type Change = Pick<Guard, 'index' | 'length' | 'replace'> & { what: string }

/** Calls of conditions, by their own names or by those that rooms give them: the caller becomes an administrator. */
function scopeChecks({ text }: Source, names: string[]): Change[] {
  // `const inScope = (scope: Scope) => ownedBy(…)`, also of other rooms: `carriers.inScope(scope)`
  const own = [...text.matchAll(/\b(?:const|function) (\w+) = \((?:db: Db, )?scope: Scope\) =>/g)]
    .filter(({ index }) =>
      names.some((name) => text.slice(index, index + 300).includes(`${name}(`)),
    )
    .map(([, name]) => name!)
  const called = new RegExp(
    String.raw`\b(${[...names, ...own, 'inScope', 'visible'].join('|')})\(`,
    'g',
  )
  return [...text.matchAll(called)].flatMap((found) => {
    if (/\bfunction $/.test(text.slice(0, found.index))) return []
    const whose = argumentsOf(text, found.index + found[0].length - 1).at(-1)
    if (!whose) return []
    return {
      what: `${found[1]} of anybody`,
      index: whose.from,
      length: whose.to - whose.from,
      replace: found[1] === 'ownerFilter' ? ' {}' : ` ${ANYBODY}`,
    }
  })
}

/** Functions that make a refusal: `const unauthorized = () => new Failure('unauthenticated', …)`. */
const factoriesIn = ({ text }: Source) =>
  [...text.matchAll(/\b(\w+)(?: =|:) \((?:[^()]|\([^()]*\))*\) =>\s/g)].flatMap((found) => {
    const [body = ''] = text.slice(found.index + found[0].length).split(/\n\n|\bthrow\b/, 1)
    const made = new RegExp(REFUSALS.source.slice(1)).exec(body)
    return made ? { name: found[1]!, from: found.index } : []
  })

/** `if (…) throw <refusal>`: never. A refusal without a condition: the function just returns. */
function refusals({ text }: Source, names: string[]): Change[] {
  return [...text.matchAll(/\bthrow (?=new Failure\(|\w+\()/g)].flatMap((found) => {
    const at = found.index + found[0].length
    const refusal = text.slice(at)
    const name = /^(\w+)\(/.exec(refusal)?.[1]
    if (!REFUSALS.test(refusal) && !(name && names.includes(name))) return []
    const condition = conditionBefore(text, found.index)
    if (condition) {
      const { from, to } = condition
      const replace = `false && (${text.slice(from, to)})`
      return { what: 'never refuses', index: from, length: to - from, replace }
    }
    const end = closing(text, text.indexOf('(', at))
    return {
      what: 'returns in place of refusing',
      index: found.index,
      length: end - found.index,
      replace: 'return undefined as never',
    }
  })
}

/** Finds the beginning and end of the condition of the `if` right before here. */
function conditionBefore(text: string, here: number) {
  for (const { index } of text.slice(Math.max(0, here - 600), here).matchAll(/\bif \(/g)) {
    const open = Math.max(0, here - 600) + index + 3
    const end = closing(text, open)
    if (end <= here && text.slice(end, here).trim() === '') return { from: open + 1, to: end - 1 }
  }
  return undefined
}

const REFUSING =
  /\b(?:await )?((?:\w+\.)*(?:guard|guarded)\.check|(?:require|refuse)[A-Z]\w*|refuse|throttle)\(/g

/** Calls that refuse, as statements: left out. */
function refusingCalls({ file, text }: Source): Change[] {
  return [...text.matchAll(REFUSING)].flatMap((found) => {
    // elsewhere, of responses and connections
    if (found[1] === 'refuse' && !file.endsWith('http/serve.ts')) return []
    const before = text.slice(0, found.index)
    if (/(?:function|const|\.) ?$/.test(before) || /\bimport\b[^\n]*$/.test(before)) return []
    const statement = /(?:^|\n|=> |return )\s*$/.test(before.slice(-40)) || /\)\s$/.test(before)
    const end = closing(text, found.index + found[0].length - 1)
    if (!statement || /^\s*[{:]/.test(text.slice(end))) return []
    return {
      what: `without ${found[1]}`,
      index: found.index,
      length: end - found.index,
      replace: 'undefined',
    }
  })
}

/** The names of the API's groups that a room serves. */
const groupsOf = (folder: string) =>
  globSync(`${folder}/*.ts`).flatMap((file) =>
    [...read(file).text.matchAll(/Handlers<typeof (?:api\.)?(\w+)>/g)].map(([, group]) => group!),
  )

const allSources = () =>
  globSync('packages/server/src/**/*.ts')
    .filter((file) => !file.endsWith('.test.ts'))
    .sort()
    .map(read)

/** Refusals in the sources that no guard covers: neither thrown nor made by a function whose calls are found. */
export function uncoveredRefusals(guards: Guard[]): string[] {
  return allSources().flatMap(({ file, text }) => {
    const made = factoriesIn({ file, text }).map(({ from }) => from)
    const thrown = guards.filter((guard) => guard.file === file).map(({ index }) => index)
    return [...text.matchAll(new RegExp(REFUSALS.source.slice(1), 'g'))]
      .filter(({ index }) => {
        const near = (from: number) => from <= index && index - from < 700
        return !thrown.some(near) && !made.some(near)
      })
      .map(({ index }) => `${file}:${text.slice(0, index).split('\n').length}`)
  })
}

const isRefusedTwice = ({ file, text }: Source, index: number) =>
  REFUSED_TWICE.some(({ file: where, code }) => {
    const from = text.indexOf(code)
    return where === file && from >= 0 && from <= index && index < from + code.length
  })

/** Run from the repository's root. */
export function findGuards({ all = false } = {}): Guard[] {
  const sources = allSources()
  const makers = ['notPermitted', ...sources.flatMap(factoriesIn).map(({ name }) => name)]
  const names = conditions()
  return sources.flatMap((source) => {
    const changes = [
      ...(source.file === TENANCY ? [] : scopeChecks(source, names)),
      ...refusals(source, makers),
      ...refusingCalls(source),
    ]
    if (changes.length === 0) return []
    const tests = testsOf(source.file, sources)
    return changes
      .filter(({ index }) => all || !isRefusedTwice(source, index))
      .sort((a, b) => a.index - b.index)
      .map(({ what, ...change }) => ({
        ...change,
        name: `${source.file}:${source.text.slice(0, change.index).split('\n').length} ${what}`,
        file: source.file,
        ...tests,
        ...(NEEDS_REDIS.test(source.file) && { database: 'mysql' as const }),
      }))
  })
}

/** The rooms of other wings that use a file. */
const roomsUsing = (file: string, wing: string, sources: Source[]) => [
  ...new Set(
    sources
      .filter(({ text }) => text.includes(`${file.split('/').slice(-2).join('/')}'`))
      .map((source) => `${dirname(source.file)}/`)
      .filter(
        (room) =>
          !`packages/server/src/${wing}/`.startsWith(room) && !room.includes(`/src/${wing}/`),
      ),
  ),
]

function testsOf(file: string, sources: Source[]): Pick<Guard, 'tests' | 'further'> {
  const folder = dirname(file)
  const [, , , wing = ''] = file.split('/')
  const groups = groupsOf(folder)
  const ofGroups =
    groups.length > 0 ? `\\b(?:${groups.join('|')})\\.` : '\\b(?:clients|limits|users)\\.'
  const room = folder.split('/').slice(3).join('/')
  const endpoints = join('packages/server/test/endpoints', '/')
  return {
    tests: `${folder}/`,
    further: [
      // titles made of members are quoted
      { tests: endpoints, only: `${ofGroups}|^'?${room} ` },
      ...['moved-', 'platform-limits', 'quotas', 'silent-no-ops', 'secrets'].map((name) => ({
        tests: `packages/server/test/${name}`,
      })),
      { tests: `packages/server/src/${wing}/` },
      ...(wing === 'http'
        ? [
            { tests: 'packages/server/src/tenants/api-keys/' },
            { tests: 'packages/server/src/routing/messaging/' },
            { tests: 'packages/server/src/session/' },
          ]
        : roomsUsing(file, wing, sources).map((room) => ({ tests: room }))),
    ],
  }
}
