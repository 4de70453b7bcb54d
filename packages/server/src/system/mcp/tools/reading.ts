import { api, membersOf, searchText } from '@switchroom/contract'
import { z } from 'zod'
import { Failure } from '../../../http/failure.ts'
import { cursorIn, cursorInput, shown } from '../answer.ts'
import type { Caller } from '../caller.ts'
import { changes, everything, isFor, mayWrite, readable, shapeOf } from '../catalogue.ts'
import type { Tool } from '../surface.ts'
import { paramsFor, partsOf } from './owners.ts'

const reads = { readOnlyHint: true, openWorldHint: false }

const ROWS = 25

export const find: Tool = {
  name: 'find',
  title: 'Find things',
  description:
    'Finds accounts, phone numbers, applications, carriers, SIP clients, users, speech services, routing tables and calls by anything that they show: a name, a number, a sid or its beginning, an address, a host. Of a phone number it also tells who has it and how its calls went in the last 24 hours.',
  annotations: reads,
  input: z.strictObject({ text: z.string().min(1).max(100) }),
  async run({ text }, { ask }) {
    const isNumber =
      /^[+\d\s()./-]+$/.test(String(text)) && (searchText(String(text)).digits ?? '').length > 2
    const found = await partsOf({
      found: async () => membersOf(await ask(api.search.find, { query: { q: text } })).data,
      number: () => (isNumber ? ask(api.search.number, { query: { number: text } }) : undefined),
    })
    return shown(found)
  },
}

const Values = z.record(z.string().max(64), z.unknown())

/** Tool that reads everything this caller may read. */
export function read(caller: Caller): Tool {
  const some = readable.filter(isFor(caller))
  return {
    name: 'read',
    title: 'Read anything',
    description:
      'Reads an endpoint of the API by its name: `phoneNumbers.list` lists, `phoneNumbers.view` reads one thing. `describe` tells what each of them takes. Lists come in pages, and take `filter`, `sort` and what else `describe` names.',
    annotations: reads,
    input: z.strictObject({
      what: z.enum(some.map(({ id }) => id)),
      params: Values.optional().describe(
        'What the path names, such as {"phone_number_sid": "…"}. Your own account or service provider may be left out.',
      ),
      query: Values.optional().describe('Filters, sorting and the size of pages'),
      cursor: cursorInput,
    }),
    async run(args, caller) {
      const { e } = some.find(({ id }) => id === args.what)!
      const cursor = cursorIn(args)
      const params = paramsFor(e, args.params, caller)
      const names = e.query?.shape ?? {}
      const size = 'count' in names ? 'count' : 'page_size'
      const page = cursor.page ?? 1
      const paging = 'page' in names && { [size]: ROWS, ...membersOf(args.query), page }
      const answer = await caller.ask(e, { params, query: { ...membersOf(args.query), ...paging } })
      return shown(
        answer ?? { nothing: true },
        cursor,
        paging ? pageAfter(answer, page) : undefined,
      )
    },
  }
}

/** The page behind this one, if there is one. */
function pageAfter(answer: unknown, page: number) {
  const { total, page_size } = membersOf(answer)
  return Number(total) > page * Number(page_size) ? page + 1 : undefined
}

/** Endpoints that other tools send requests to, listed here so that their schemas can be looked up. */
const TRYING = everything.filter(({ id }) => id === 'runs.begin' || id === 'runs.answer')

/** Tool that lists what this caller can read and change, with the schemas. */
export function describe(caller: Caller): Tool {
  const some = readable.filter(isFor(caller))
  const writes = mayWrite(caller.scope) ? changes.filter(isFor(caller)) : []
  const all = [...some, ...writes, ...TRYING]
  return {
    name: 'describe',
    title: 'Describe what there is',
    description:
      'Without arguments: everything that `read` reads and, if you may write, that `plan_change` changes, by name. With `what`, such as `phoneNumbers.update`: the JSON Schema of its path, query and body.',
    annotations: { ...reads, idempotentHint: true },
    input: z.strictObject({ what: z.string().max(100).optional(), cursor: cursorInput }),
    async run(args) {
      if (args.what !== undefined) {
        const named = all.find(({ id }) => id === args.what)
        if (!named) throw new Failure('not_found', 'There is nothing of this name')
        return shown({ what: named.id, ...meaning(named.e), ...shapeOf(named.e) }, cursorIn(args))
      }
      const lines = (list: typeof all) => list.map(({ id, e }) => `${id}: ${e.summary}`)
      return shown({ read: lines(some), plan_change: lines(writes) }, cursorIn(args))
    },
  }
}

const meaning = ({ summary, path, method }: { summary: string; path: string; method: string }) => ({
  summary,
  request: `${method} ${path}`,
})
