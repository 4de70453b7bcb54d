import {
  type CatalogueWithSource,
  type CustomerReport,
  type DoctorReport,
  type PhoneNumber,
  type TestResult,
  type TrunkReport,
  t,
} from '@switchroom/contract'
import type { Provider as ProgramServer } from 'oidc-provider'
import type { ReadRecording } from '../audio/read-recording.ts'
import { type ListingMemory, listingMemory, type ReadReplica } from '../db/listing-memory.ts'
import type { Tables } from '../db/open.ts'
import type { SlowRead } from '../db/slow-reads.ts'
import type { Watch } from '../db/watched.ts'
import { type Batches, batches } from '../live/batches.ts'
import { type MemoByKey, memoByKey } from '../live/memo-by-key.ts'
import { type SingleFlight, singleFlight } from '../live/single-flight.ts'
import { PASSWORD_THREADS } from '../secrets/password-threads.ts'
import { type Passwords, passwordsHere } from '../secrets/passwords.ts'
import type { AnomalyFinder } from '../stores/anomalies/finder.ts'
import type { TrunkCounts } from '../stores/calls/store.ts'
import type { StoredKey } from './api-key.ts'
import { type FairQueue, fairQueue } from './fair-queue.ts'
import {
  forgettingOnWrites,
  type KnownCallers,
  type KnownProgram,
  type KnownSession,
  knownCallers,
} from './known-callers.ts'
import type { RequestMeta, Scope } from './scope.ts'
import { type TenantTurns, tenantTurns } from './turns.ts'

/** A phone number that a caller adds. */
export type NewNumber = { scope: Scope; meta: RequestMeta; number: PhoneNumber }

/** Requests to webhooks on their way into the log. */
export type WebhookLog = {
  rows: Batches<Tables['switchroom_webhook_requests'], void>
  waiting: number
  /** Resolves once the newest of them is written, or could not be. */
  latest: Promise<void>
  isFailing: boolean
  /** Rows of each owner since its oldest ones were deleted. */
  sincePruned: Map<string, number>
}

/** A run that this process plays, or that waits for its turn. */
export type RunHere = {
  /** Looks into its row now, not a moment later: somebody has answered or stopped it. */
  look: () => void
  stop: () => void
  /** Resolves once its last steps are written, or could not be. */
  done: Promise<void>
}

/** A transcription that this process works at. */
export type TranscriptionHere = {
  stop: () => void
  /** Resolves once nothing of it is written any more. */
  done: Promise<void>
}

/** What one server remembers between requests. What other servers must know is in the database, or in `live`. */
export type Memory = {
  listings: ListingMemory
  /** Who tokens and API keys stand for. */
  callers: {
    sessions: KnownCallers<KnownSession>
    programs: KnownCallers<KnownProgram>
    keys: KnownCallers<StoredKey>
    forget: () => void
  }
  /** Issues tokens to programs, from the first that asks. */
  programServer: ProgramServer | undefined
  /** The sids of sessions and API keys whose last use is being stored. */
  storingLastSeen: Set<string>
  /** Whose turn it is among the feature servers. */
  turn: number
  /** A hash of no user, for `checkPassword`. */
  decoy: Promise<string> | undefined
  /** Tries of secrets. A password hash takes a processor and 64 MB for a tenth of a second. */
  secrets: FairQueue
  /** What costs, by whose turn it is. */
  turns: TenantTurns
  /** Whole lists that were short when last read, which take no turns. */
  shortLists: Set<string>
  passwords: Passwords
  /** Phone numbers that are added at the same time share a transaction. */
  newNumbers: Batches<NewNumber, void>
  webhookLog: WebhookLog
  catalogues: SingleFlight<CatalogueWithSource>
  speechTests: SingleFlight<TestResult>
  /** Calls of carriers: of the last hours, and of the days before, which change once a day. */
  trunkHours: MemoByKey<TrunkCounts[][]>
  trunkDays: MemoByKey<TrunkCounts[][]>
  /** The busiest carriers of the last day, by owner. */
  busyTrunks: MemoByKey<string[]>
  /** Parts of trunk reports: the figures by time zone, and the calls that are shown. */
  trunkReports: MemoByKey<Pick<TrunkReport, 'read_at' | 'days' | 'total' | 'causes'>>
  trunkReportCalls: MemoByKey<Pick<TrunkReport, 'failed_calls' | 'captures'>>
  /** The figures of customers' reports, by account and period. */
  customerReports: MemoByKey<Omit<CustomerReport, 'account_name'>>
  /** Calls of the last weeks, to tell what is out of the ordinary. */
  anomalies: () => Promise<AnomalyFinder>
  /** The latest report of the set-up: each run connects to everything that is configured. */
  doctor: MemoByKey<DoctorReport>
  /** How many streams of events each caller follows. */
  following: Map<string, number>
  /** How many speech vendors each caller waits for. */
  waiting: Map<string, number>
  /** By sid. */
  runs: Map<string, RunHere>
  /** By the sid of the work. */
  transcriptions: Map<string, TranscriptionHere>
  /** Recordings that were read to tell what they will take, by account and call, for as long as somebody may say yes. */
  readRecordings: Map<string, { recording: ReadRecording; forget: () => Promise<void> }>
  /** Decoding of recordings, which takes a processor. */
  decoding: FairQueue
  /** By account: how many runs are played, and those that wait for their turn. */
  runLanes: Map<string, { playing: number; waiting: (() => void)[] }>
}

/** One more than are hashed at once, so that the threads need not wait for what is counted before. */
const SECRETS = {
  doing: t('checking passwords'),
  atOnce: PASSWORD_THREADS + 1,
  perLane: 16,
  inAll: 64,
  longest_ms: 10_000,
}

/** They run in threads of their own, and need their processors. */
const DECODING = {
  doing: t('reading recordings'),
  atOnce: 2,
  perLane: 20,
  inAll: 200,
  longest_ms: 600_000,
}

const MOST_NEW_NUMBERS = 100
/** With their bodies, of up to 32 kB each. */
const MOST_LOGGED_REQUESTS = 50
const MOST_TRUNK_READS = 200
/** With the SIP of their calls, some 100 kB each. */
const MOST_TRUNK_REPORTS = 50

async function newFinder() {
  const { AnomalyFinder } = await import('../stores/anomalies/finder.ts')
  return new AnomalyFinder()
}

/** Follows what this process writes to its database. */
export function memory(
  { writes }: Pick<Watch, 'writes'>,
  {
    now,
    passwords = passwordsHere,
    slow,
    replica,
    heard,
  }: {
    now?: () => number
    passwords?: Passwords
    /** What reads a SQLite file where it keeps nobody waiting. */
    slow?: { read: SlowRead; isLarge: () => boolean } | undefined
    replica?: { read: ReadReplica } | undefined
    /** Resolves once what other processes had written before is known here. */
    heard?: (() => Promise<void>) | undefined
  } = {},
): Memory {
  const listings = listingMemory({
    slowRead: slow?.read,
    isLarge: slow?.isLarge,
    readReplica: replica?.read,
    heard,
  })
  writes.add(listings.wrote)
  const sessions = knownCallers<KnownSession>(now)
  const programs = knownCallers<KnownProgram>(now)
  const keys = knownCallers<StoredKey>(now)
  const forget = () => {
    sessions.forget()
    programs.forget()
    keys.forget()
  }
  writes.add(forgettingOnWrites(forget))
  let anomalies: Promise<AnomalyFinder> | undefined
  return {
    listings,
    callers: { sessions, programs, keys, forget },
    programServer: undefined,
    storingLastSeen: new Set(),
    turn: 0,
    decoy: undefined,
    secrets: fairQueue(SECRETS),
    turns: tenantTurns(),
    shortLists: new Set(),
    passwords,
    newNumbers: batches(MOST_NEW_NUMBERS),
    webhookLog: {
      rows: batches(MOST_LOGGED_REQUESTS),
      waiting: 0,
      latest: Promise.resolve(),
      isFailing: false,
      sincePruned: new Map(),
    },
    catalogues: singleFlight(),
    speechTests: singleFlight(),
    trunkHours: memoByKey(10_000, MOST_TRUNK_READS),
    trunkDays: memoByKey(600_000, MOST_TRUNK_READS),
    busyTrunks: memoByKey(60_000, MOST_TRUNK_READS),
    trunkReports: memoByKey(120_000, MOST_TRUNK_READS),
    trunkReportCalls: memoByKey(300_000, MOST_TRUNK_REPORTS),
    customerReports: memoByKey(30_000, MOST_TRUNK_READS),
    anomalies: () => (anomalies ??= newFinder()),
    doctor: memoByKey(5_000, 1),
    following: new Map(),
    waiting: new Map(),
    runs: new Map(),
    runLanes: new Map(),
    transcriptions: new Map(),
    readRecordings: new Map(),
    decoding: fairQueue(DECODING),
  }
}
