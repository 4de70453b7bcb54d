import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Rolldown } from 'vite'

/**
 * Which scripts the console is divided into. What is loaded together stands together: a browser asks for six files at a
 * time, and each costs a round trip. A screen has a script of its own for the rest.
 */

type Graph = Rolldown.ChunkingContext
const SRC = join(import.meta.dirname, 'src')
const BARREL = join(import.meta.dirname, '../contract/src/index.ts')

/** The modules that these load at once, with what those load at once, and so on. */
function loadedBy(graph: Graph, roots: readonly string[]) {
  const all = new Set(roots)
  // grows as it is read; the contract's index names all of it, of which a screen takes little
  for (const id of all)
    for (const to of graph.getModuleInfo(id)?.importedIds ?? []) if (to !== BARREL) all.add(to)
  return all
}

const screens = (names: readonly string[]) =>
  readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => names.includes(basename(file)))
    .map((file) => join(SRC, file))

/** How many of the screens with these file names load a module. */
function counter(...names: string[]) {
  let counts: Map<string, number> | undefined
  return (id: string, graph: Graph) => {
    if (!counts) {
      counts = new Map()
      for (const file of screens(names))
        for (const loaded of loadedBy(graph, [file]))
          counts.set(loaded, (counts.get(loaded) ?? 0) + 1)
    }
    return counts.get(id) ?? 0
  }
}
const lists = counter('list.tsx')
const forms = counter('form.tsx', 'settings.tsx', 'sip-realm.tsx')

const overviews = counter('overview.tsx', 'account.tsx', 'application.tsx', 'carrier.tsx')

const wingOfContract = (id: string) => /contract\/src\/(\w+)\//.exec(id)?.[1]
const needs = (id: string, graph: Graph, what: string) =>
  [...loadedBy(graph, [id])].some((loaded) => loaded.includes(what))
const hasSchemas = (id: string, graph: Graph) => needs(id, graph, '/zod/')

/** Words of the contract that only screens about calls, failures and webhooks show. */
const ALERT_TEXTS =
  /contract\/src\/(?:alerts\/(?:failure-text|failure-prefix|issue-text|request-text|reroute|view-measures)|calls\/(?:sip-status|spoken-words|denominator)|wire\/calling-codes)\.ts$/
/** Names of alert types, with the one list beside those of alerts that shows them. */
const ALERT_TYPES =
  /contract\/src\/alerts\/alert-types\.ts$|console\/src\/alerts\/alert-destinations\/list\.tsx$/

/** Sentences on what happened in a call, shown only on its own page. */
const CALL_SENTENCE = /contract\/src\/calls\/(?:call-sentence|hung-up)\.ts$/

/** Checks of the contract's schemas, and brand colors. No list needs them, though these files name no schema. */
const CHECKS =
  /contract\/src\/(?:alerts\/event-kinds|applications\/(?:app-env-rules|app-json|new-calls|platform-version)|calls\/call-commands|carriers\/gateway-rules|routing\/typed-number|runs\/(?:expectation-text|model-problem)|tenants\/(?:brand-colors|webhook-rules)|wire\/(?:aws-regions|command-line|plain-messages|request-text))\.ts$/
/** Checks of forms that need no schema. */
const FORM_RULES = /contract\/src\/(?:tenants\/password-rules|wire\/service-key)\.ts$/
/** Modules that the client of programs needs. Lists load them only for an export or import. */
const PROGRAMS = /contract\/src\/wire\/(?:json-lines|light|secret-names)\.ts$/
/** Figures of call reports, and code that two report pages share. */
const REPORTS =
  /contract\/src\/calls\/report-figures\.ts$|console\/src\/calls\/(?:report-(?:chart|page|text)|hour-text)\.tsx?$/
/** How what was typed is compared, which the palette does and the server. */
const TYPED = /contract\/src\/(?:calls\/named-statuses|wire\/(?:search-text|spellings))\.ts$/
/** Lists of a form in an order that is dragged, which few forms have. */
const SORTABLE = /\/@dnd-kit\/|console\/src\/lib\/sortable-rows\.tsx$/
/** The names of the server's parts, which the frame shows of those that fail. */
const HEALTH =
  /contract\/src\/health\/health-parts\.ts$|console\/src\/health\/system-health\/(?:states\.ts|failing-parts\.tsx)$/
/** Modules that lists of calls and some forms share. */
const TABS = /console\/src\/(?:ui\/(?:error-counts|tabs)|lib\/save-file)\.tsx?$/
const DOCTOR = /contract\/src\/health\/doctor-\w+\.ts$|console\/src\/health\/doctor\/doctor\.tsx$/

/** Modules that several lists load, and the contract's labels. */
function isOfLists(id: string, graph: Graph) {
  // a number, for which forms would load all vendors
  if (id.endsWith('/speech/sample-length.ts')) return true
  const apart = [
    ...[ALERT_TEXTS, ALERT_TYPES, CALL_SENTENCE, CHECKS],
    ...[DOCTOR, FORM_RULES, HEALTH, PROGRAMS, REPORTS, TABS, TYPED],
  ]
  if (apart.some((own) => own.test(id))) return false
  const wing = wingOfContract(id)
  if (wing) return wing !== 'speech' && !needs(id, graph, '/speech/') && !hasSchemas(id, graph)
  return lists(id, graph) >= 2
}

/** Modules that fetch a screen's data before all else: `base` is shared with the log-in form, `first` is the rest. */
function isOfFirst(id: string, graph: Graph) {
  if (!loadedBy(graph, [join(SRC, 'first.ts')]).has(id)) return null
  return loadedBy(graph, [join(SRC, 'main.tsx')]).has(id) ? 'base' : 'first'
}

const SPEECH_LIST = /console\/src\/speech\/speech-credentials\/list\.tsx$/
/** With what the pages of all things share with their forms, and with the list of calls: each too small for a script. */
const FRAME =
  /console\/src\/(?:screens|frame\/layout|lib\/(?:thing-head|load-error)|ui\/facts|tenants\/accounts\/plan-text|calls\/call-text|calls\/dashboard\/links)\.tsx?$/

/** First come those of the highest priority. A script takes along what its modules load at once. */
export const chunks: Rolldown.CodeSplittingGroup[] = [
  { name: isOfFirst, debugName: 'first', priority: 8 },
  { name: 'log-in', test: /console\/src\/main\.tsx$/, priority: 7 },
  {
    // forms need most of what lists share too
    name: (id, graph) => (FRAME.test(id) || isOfLists(id, graph) ? 'frame' : null),
    debugName: 'frame',
    priority: 6,
  },
  { name: 'alert-texts', test: ALERT_TEXTS, priority: 5 },
  { name: 'alert-types', test: ALERT_TYPES, priority: 5 },
  { name: 'typed', test: TYPED, priority: 5 },
  { name: 'reports', test: REPORTS, priority: 5 },
  { name: 'doctor', test: DOCTOR, priority: 5 },
  { name: 'health', test: HEALTH, priority: 5 },
  { name: 'programs', test: PROGRAMS, priority: 5 },
  { name: 'tabs', test: TABS, priority: 5 },
  {
    // with the one list that shows them
    name: (id, graph) =>
      SPEECH_LIST.test(id) ||
      (wingOfContract(id) &&
        ![CHECKS, CALL_SENTENCE, FORM_RULES].some((own) => own.test(id)) &&
        !hasSchemas(id, graph))
        ? 'vendors'
        : null,
    debugName: 'vendors',
    priority: 4,
  },
  { name: 'popups', test: /console\/src\/ui\/popups\.tsx$/, priority: 4 },
  {
    name: 'schemas',
    test: /\/zod\/|contract\/src\/(?!calls\/(?:call-sentence|hung-up)|tenants\/password-rules|wire\/service-key)/,
    priority: 3,
  },
  {
    name: (id, graph) =>
      FORM_RULES.test(id) || (forms(id, graph) >= 2 && !SORTABLE.test(id)) ? 'forms' : null,
    debugName: 'forms',
    priority: 2,
  },
  { name: 'sortable', test: SORTABLE, priority: 1 },
  {
    name: (id, graph) => (overviews(id, graph) >= 3 ? 'overviews' : null),
    debugName: 'overviews',
    priority: 2,
  },
  {
    // what a list and the form beside it share is in the list's
    name: (id) => (basename(id) === 'list.tsx' ? `${basename(dirname(id))}-list` : null),
    debugName: 'list of a room',
    priority: 1,
  },
  {
    name: 'account-form',
    test: /console\/src\/(?:billing\/edit-account|tenants\/accounts\/form)\.tsx$/,
    priority: 0,
  },
]
