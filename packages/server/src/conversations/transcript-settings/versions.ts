import { isSecretVariable, OTHER_VERSIONS } from '@switchroom/contract'
import { environment } from '../../applications/queries.ts'
import type { Context } from '../../http/context.ts'
import type { VersionsOf } from '../../stores/voice/store.ts'

/** The most values of an application that are told apart on a day. */
const MAX_VALUES = 50
/** Applications and days whose values are remembered. */
const MAX_REMEMBERED = 10_000
const MAX_LENGTH = 128

/** Finds the values by which accounts split the figures of their conversations. */
export function versionsOf({ db, box }: Pick<Context, 'db' | 'box'>): VersionsOf {
  const values = new Map<string, Set<string>>()

  /** The value itself, or what stands for all others of an application that has many. */
  function bounded(of: string, value: string) {
    const known = values.get(of) ?? new Set()
    if (!known.has(value) && known.size >= MAX_VALUES) return OTHER_VERSIONS
    known.add(value)
    values.delete(of)
    values.set(of, known)
    if (values.size > MAX_REMEMBERED) values.delete(values.keys().next().value!)
    return value
  }

  return async (talks) => {
    const accounts = new Set(talks.flatMap(({ call }) => call.account_sid ?? []))
    if (accounts.size === 0) return talks.map(() => undefined)
    const rows = await db
      .selectFrom('switchroom_transcript_settings')
      .select(['account_sid', 'split_source', 'split_name'])
      .where('account_sid', 'in', [...accounts])
      .where('split_name', 'is not', null)
      .execute()
    const splits = new Map(rows.map((row) => [row.account_sid.toLowerCase(), row]))
    const splitOf = ({ call }: (typeof talks)[number]) =>
      splits.get((call.account_sid ?? '').toLowerCase())
    const asked = talks.filter((talk) => splitOf(talk)?.split_source === 'variable')
    const applications = new Set(asked.flatMap(({ call }) => call.application_sid ?? []))
    const variables = new Map(
      applications.size === 0
        ? []
        : (
            await db
              .selectFrom('applications')
              .select(['application_sid', 'account_sid', 'env_vars'])
              .where('application_sid', 'in', [...applications])
              .execute()
          ).map((row) => [
            `${row.account_sid} ${row.application_sid}`.toLowerCase(),
            environment(box, row.env_vars),
          ]),
    )
    return talks.map((talk) => {
      const split = splitOf(talk)
      if (!split) return undefined
      const { account_sid, application_sid, attempted_at } = talk.call
      const of = `${account_sid} ${application_sid}`.toLowerCase()
      const name = split.split_name!
      const from = split.split_source === 'tag' ? talk.tag : variables.get(of)
      const value = from && Object.hasOwn(from, name) ? from[name] : undefined
      if (!['string', 'number', 'boolean'].includes(typeof value)) return ''
      if (isSecretVariable(name, value)) return ''
      return bounded(
        `${attempted_at.slice(0, 10)} ${of}`,
        String(value).trim().slice(0, MAX_LENGTH),
      )
    })
  }
}
