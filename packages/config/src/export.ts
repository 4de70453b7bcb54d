import type { Switchroom } from '@switchroom/client'
import { isRecord } from '@switchroom/contract'
import { stringify } from 'yaml'
import { KINDS, type Kind, REFERENCES, type Rows } from './kinds.ts'
import { type Names, nameOf, namesOf } from './names.ts'
import { bodyFrom, endpointOf, groupOf, type Owner, readThings, type Thing } from './read.ts'
import {
  defaultOf,
  eachIn,
  elementOf,
  isFlag,
  type Members,
  membersIn,
  membersOfKind,
  membersOfRow,
  replacing,
  type Schema,
  written,
} from './shapes.ts'
import { escapeLiteral, StoredSecret } from './values.ts'
import type { YieldIfDue } from './yield-if-due.ts'

/** Configuration of an owner, as texts of files by their names. */
export async function exported(
  api: Switchroom,
  owner: Owner,
  yieldIfDue?: YieldIfDue,
): Promise<Map<string, string>> {
  const things = await readThings(api, owner, new Set(KINDS.map(({ file }) => file)))
  const names = namesOf(things)
  const variables = new Variables()
  const texts = new Map<string, string>()
  for (const kind of KINDS) {
    const items: Members[] = []
    for (const thing of things.get(kind.file)!) {
      if (!thing.isOwn) continue
      const item = itemOf(thing, owner, names, variables)
      if (kind.id || Object.keys(item).some((name) => name !== 'account')) items.push(item)
      await yieldIfDue?.()
    }
    items.sort((a, b) => order(a, b, kind))
    if (items.length > 0) texts.set(`${kind.file}.yaml`, await textOf(kind, items, yieldIfDue))
  }
  return texts
}

/** Exports an owner's things as one file, `configuration.yaml`. */
export const asOneFile = (texts: ReadonlyMap<string, string>) =>
  [...texts]
    .map(([name, text]) => {
      const items = text.replace(/^#.*\n+/, '').replace(/^(?=.)/gm, '  ')
      return `${name.replace(/\.yaml$/, '')}:\n${items}`
    })
    .join('')

function order(a: Members, b: Members, kind: Kind) {
  const by = (item: Members) => `${item.account ?? ''}\n${nameOf(kind, item)}\n${item.sid ?? ''}`
  const [first, second] = [by(a), by(b)]
  return first < second ? -1 : first > second ? 1 : 0
}

const HEAD = (kind: Kind) => `# yaml-language-server: $schema=.schema/${kind.file}.json\n\n`
const AT_ONCE = 50

async function textOf(kind: Kind, items: Members[], yieldIfDue: YieldIfDue | undefined) {
  let text = HEAD(kind)
  for (let i = 0; i < items.length; i += AT_ONCE) {
    text += stringify(items.slice(i, i + AT_ONCE), { aliasDuplicateObjects: false, lineWidth: 0 })
    await yieldIfDue?.()
  }
  return text
}

/** Names of variables for secrets, each used once. */
class Variables {
  #used = new Set<string>()
  named(...parts: string[]) {
    const name = parts
      .filter((part) => part !== '')
      .map((part) =>
        part
          .toUpperCase()
          .replace(/[^A-Z\d]+/g, '_')
          .replace(/^_+|_+$/g, ''),
      )
      .join('_')
    for (let n = 1; ; n++) {
      const one = n === 1 ? name : `${name}_${n}`
      if (this.#used.has(one)) continue
      this.#used.add(one)
      return one
    }
  }
}

/** A thing in the form of files: names in place of sids, references in place of secrets, without defaults. */
function itemOf(thing: Thing, owner: Owner, names: Names, variables: Variables): Members {
  const { kind, account, of, sid, row } = thing
  const body = endpointOf(kind.group, bodyFrom(kind)).body as Schema
  const shown = endpointOf(groupOf(kind, account), 'view').response as Schema
  const read = membersOfRow(kind, body, row)
  const name = nameOf(kind, row)
  const ofAccount = account && owner.account === undefined && names.bySid('accounts', account)
  const plain = replacing(
    shown,
    read,
    (path) =>
      new StoredSecret(variables.named(ofAccount ? ofAccount.name : '', kind.file, name, ...path)),
  ) as Members
  const schemas = membersOfKind(kind, body, row)
  // an account refers to what is its own
  const within = kind.file === 'accounts' ? sid : account
  const parts = Object.keys(schemas).flatMap((member): [string, unknown][] => {
    const value = plain[member]
    const usual = kind.defaults?.[member] ?? defaultOf(schemas[member]!)
    if (value === undefined || JSON.stringify(value) === JSON.stringify(usual)) return []
    if (isRecord(value) && Object.keys(value).length === 0) return []
    const schema = schemas[member]!
    return [
      [
        written(member),
        said({ names, account: within }, schema, value, kind.lists?.[member], member),
      ],
    ]
  })
  const twins = names
    .called(kind.file, name)
    .filter((one) => one.of === of && (kind.isNameGlobal || one.account === account))
  const members = Object.fromEntries(parts)
  const first = Object.fromEntries(
    kind.nameMembers.filter((n) => n in members).map((n) => [n, members[n]]),
  )
  return {
    ...first,
    // names do not tell them apart
    ...(twins.length > 1 && { sid }),
    ...(ofAccount && { account: ofAccount.name }),
    ...(kind.parent &&
      kind.parent.file !== 'accounts' && {
        [written(kind.parent.member)]: names.reference(kind.parent.file, of!, account),
      }),
    ...members,
  }
}

type Saying = { names: Names; account: string | null }

/** A value in the form of files. */
function said(
  saying: Saying,
  schema: Schema | undefined,
  value: unknown,
  rows?: Rows,
  member?: string,
): unknown {
  if (value instanceof StoredSecret) return value.text
  if (typeof value === 'string') {
    const kind = member === undefined ? undefined : REFERENCES[member]
    return escapeLiteral(kind ? saying.names.reference(kind, value, saying.account) : value)
  }
  if (!schema) return value
  if (isFlag(schema)) return value === 1
  if (Array.isArray(value)) {
    const element = elementOf(schema)
    return value.map((row, i) =>
      said(saying, element, isRecord(row) ? withoutUsual(row, rows, i) : row, rows),
    )
  }
  if (!isRecord(value)) return value
  const members = membersIn(schema, value)
  const each = eachIn(schema)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, of]): [string, unknown][] => {
      const part = members?.[name] ?? each
      if (members?.[name] && of === defaultOf(members[name])) return []
      const isReference = members !== undefined && name in REFERENCES
      return [
        [
          isReference ? written(name) : name,
          said(saying, part, of, rows?.lists?.[name], isReference ? name : undefined),
        ],
      ]
    }),
  )
}

const withoutUsual = (row: Members, rows: Rows | undefined, position: number) => {
  const usual = rows?.defaults?.(position, row) ?? {}
  return Object.fromEntries(Object.entries(row).filter(([name, value]) => usual[name] !== value))
}
