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
    .filter((file) => names.some((name) => `/${file}`.endsWith(`/${name}`)))
    .map((file) => join(SRC, file))

/** How many of the screens with these names load a module. */
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
const forms = counter('form.tsx', 'settings.tsx', 'sip-realm.tsx')
const OVERVIEWS = ['overview.tsx', 'account.tsx', 'application.tsx', 'carrier.tsx']
const overviews = counter(...OVERVIEWS)
/** Screens of calls and their figures. */
const FIGURES = [
  'dashboard/dashboard.tsx',
  'voice/voice.tsx',
  'scores/scores.tsx',
  'recent-calls/list.tsx',
  'live-calls/list.tsx',
  'call/call-page.tsx',
  'conversation/conversation.tsx',
]
const figures = counter(...FIGURES)
/** Lists of things, which most people open first. */
const LISTS = [
  ...['accounts', 'users', 'applications', 'voip-carriers', 'phone-numbers', 'clients', 'lcrs'],
  ...['speech-credentials', 'ms-teams-tenants', 'alert-destinations', 'audit', 'webhook-requests'],
].map((room) => `${room}/list.tsx`)
const things = counter(...LISTS)
const lists = counter(
  ...LISTS,
  ...['alerts', 'inbox', 'failures'].map((room) => `${room}/list.tsx`),
)

const wingOfContract = (id: string) => /contract\/src\/(\w+)\//.exec(id)?.[1]
const needs = (id: string, graph: Graph, what: string) =>
  [...loadedBy(graph, [id])].some((loaded) => loaded.includes(what))
const hasSchemas = (id: string, graph: Graph) => needs(id, graph, '/zod/')

const roots = (...files: string[]) => files.map((file) => join(SRC, file))
const MAIN = roots('main.tsx')
const LOG_IN = roots('session/log-in.tsx')
const CONVERSATION = roots('calls/call/course.tsx', 'calls/call/conversation/conversation.tsx')
const SCREENS = roots('screens.tsx', 'frame/layout.tsx')

/** Words of the contract that only lists of alerts, failures and webhooks show. */
const ALERT_TEXTS =
  /contract\/src\/(?:alerts\/(?:failure-text|failure-prefix|issue-text|request-text|reroute|view-measures)|calls\/sip-status|wire\/calling-codes)\.ts$/
/** Names of alert types, with the one list beside those of alerts that shows them. */
const ALERT_TYPES =
  /contract\/src\/alerts\/alert-types\.ts$|console\/src\/alerts\/alert-destinations\/list\.tsx$/

/** Checks of the contract's schemas, and brand colors. No list needs them, though these files name no schema. */
const CHECKS =
  /contract\/src\/(?:alerts\/event-kinds|applications\/(?:app-env-rules|app-json|new-calls|platform-version)|calls\/call-commands|carriers\/gateway-rules|routing\/typed-number|runs\/(?:expectation-text|model-problem)|tenants\/(?:brand-colors|webhook-rules)|wire\/(?:aws-regions|command-line|plain-messages|request-text))\.ts$/
const APART = [ALERT_TEXTS, ALERT_TYPES, CHECKS, /contract\/src\/speech\//]
/** Lists of a form in an order that is dragged, which few forms have. */
const SORTABLE = /\/@dnd-kit\/|console\/src\/lib\/sortable-rows\.tsx$/

/** Modules that ask for a screen's data, before all else. The log-in form needs some of them. */
const isOfFirst = (id: string, graph: Graph) => loadedBy(graph, roots('first.ts')).has(id)

/** Modules of every page: React, and what the log-in form shares with the frame and lists. */
function isOfMain(id: string, graph: Graph) {
  if (loadedBy(graph, MAIN).has(id)) return true
  if (!loadedBy(graph, LOG_IN).has(id)) return false
  return isOfFrame(id, graph)
}

const isOfFirstSheet = (id: string, graph: Graph) =>
  lists(id, graph) > 0 || loadedBy(graph, [...SCREENS, ...LOG_IN]).has(id)
const isSheet = (id: string) => id.endsWith('.css')
function isOfFrame(id: string, graph: Graph) {
  if (loadedBy(graph, SCREENS).has(id)) return true
  if (APART.some((own) => own.test(id))) return false
  return lists(id, graph) >= 2 || (things(id, graph) > 0 && isSmall(id))
}
/** Words of lists of alerts and failures. */
function isOfAlertTexts(id: string, graph: Graph) {
  if (ALERT_TEXTS.test(id)) return true
  if (APART.some((own) => own.test(id)) || hasSchemas(id, graph)) return false
  return isSmall(id) && lists(id, graph) > 0
}

const isSmall = (id: string) =>
  /virtual:endpoints\/|\/lucide-react\/|contract\/src\/|calls\/account-names/.test(id)

/** Modules that figures share with other screens. */
const SHARED =
  /console\/src\/(?:calls\/(?:hour-text|case-address|dashboard\/anomaly-href)|lib\/(?:alert-mark|scores)|ui\/(?:findings|pressed-keys))\.tsx?$/
/** Small modules without schemas that pages and forms share, too small for scripts of their own. */
function isOfPages(id: string, graph: Graph) {
  if (/virtual:endpoints\/|\/lucide-react\//.test(id) || SHARED.test(id)) return true
  if (hasSchemas(id, graph)) return false
  if (figures(id, graph) > 0 && (forms(id, graph) >= 2 || overviews(id, graph) >= 3)) return true
  const wing = wingOfContract(id)
  if (!wing || CHECKS.test(id)) return false
  return wing !== 'speech' && !needs(id, graph, '/speech/')
}

const named = (name: string, test: (id: string, graph: Graph) => boolean) => ({
  name: (id: string, graph: Graph) => (test(id, graph) ? name : null),
  debugName: name,
})

/** First come those of the highest priority. A script takes along what its modules load at once. */
export const chunks: Rolldown.CodeSplittingGroup[] = [
  { ...named('first', isOfFirst), priority: 9 },
  // with the styles of all lists; all others are in one more file
  {
    ...named(
      'main',
      (id, graph) => isOfMain(id, graph) || (isSheet(id) && isOfFirstSheet(id, graph)),
    ),
    priority: 8,
  },
  { ...named('styles', isSheet), priority: 7 },
  { ...named('frame', isOfFrame), priority: 6 },
  { name: 'log-in', test: /console\/src\/session\/log-in\.tsx$/, priority: 5 },
  {
    ...named('alert-texts', isOfAlertTexts),
    priority: 5,
  },
  { name: 'alert-types', test: ALERT_TYPES, priority: 5 },
  {
    name: 'delete-dialog',
    test: /console\/src\/(?:lib\/(?:delete-dialog-body|uses|uses-of|use-items|used-list)|ui\/confirm-dialog)\.tsx?$/,
    priority: 5,
  },
  { name: 'vendor-names', test: /vendor-names?(?:\.ts)?$/, priority: 5 },
  {
    ...named(
      'vendors',
      (id, graph) => wingOfContract(id) === 'speech' && !CHECKS.test(id) && !hasSchemas(id, graph),
    ),
    priority: 4,
  },
  { name: 'popups', test: /console\/src\/ui\/popups\.tsx$/, priority: 4 },
  { ...named('pages', isOfPages), priority: 4 },
  {
    ...named('figures', (id, graph) => figures(id, graph) >= 2 && !hasSchemas(id, graph)),
    priority: 3.5,
  },
  { name: 'schemas', test: /\/zod\/|contract\/src\//, priority: 3 },
  {
    ...named('forms', (id, graph) => forms(id, graph) >= 2 && !SORTABLE.test(id)),
    priority: 2,
  },
  { name: 'sortable', test: SORTABLE, priority: 1 },
  {
    // the first tab of a call, with what a comparison of calls has of it
    ...named(
      'conversation',
      (id, graph) => id.includes('/calls/call/') && loadedBy(graph, CONVERSATION).has(id),
    ),
    priority: 1,
  },
  { ...named('overviews', (id, graph) => overviews(id, graph) >= 3), priority: 2 },
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
