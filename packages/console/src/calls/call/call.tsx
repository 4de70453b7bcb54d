import { type Call, callSentence, t } from '@switchroom/contract'
import { useNavigate } from '@tanstack/react-router'
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { ownAccount } from '../../lib/access'
import { config } from '../../lib/config'
import { defined } from '../../lib/list-search'
import { usePhoneFormat } from '../../lib/phone-format'
import { RoutePending } from '../../lib/route-states'
import { screen } from '../../lib/screen'
import { AccountLink, ApplicationLink } from '../../lib/thing-link'
import { Tabs } from '../../ui/tabs'
import { useOpened } from '../../ui/use-opened'
import { isTraced } from '../call-text'
import { hasTracing } from '../has-tracing'
import type { Search } from '../search'
import { useConversation } from './conversation/use-conversation'
import type { CourseProps } from './course'
import { CursorContext, cursorStore } from './cursor'
import { Details } from './details'
import { CarrierLink } from './own-links'
import type { PartProps } from './part'
import { PlaybackContext, playbackStore } from './player/playback-store'
import { ReportButtons } from './report-buttons'
import { useRefreshedConversation, useTranscription } from './transcription/use-transcription'
import { useCapture } from './use-capture'
import { useContradictions } from './use-contradictions'
import './call.css'

/** Data sources a call has in addition to its record. */
type Has = { capture: boolean; conversation: boolean }

type Part = {
  id: string
  label: string
  Content: ComponentType<PartProps>
  /** Left out if every call has this tab. */
  seen?: (call: Call, has: Has) => boolean
}

const isRecorded = (call: Call) => call.recording_url !== null && !config.DISABLE_CALL_RECORDING
/** True if the record alone shows that there is something for the timeline. */
const isTimed = (call: Call) => (hasTracing && isTraced(call)) || isRecorded(call)
const hasTimes = (call: Call, { capture }: Has) => capture || isTimed(call)

const Course = screen<'Course', CourseProps>(() => import('./course'), 'Course')
const Conversation = screen<'Conversation', PartProps>(
  () => import('./conversation/conversation'),
  'Conversation',
)
const Timeline = lazy(async () => ({ default: (await import('./timeline/timeline')).Timeline }))
const Tracing = lazy(async () => ({ default: (await import('./tracing/tracing')).Tracing }))
const Sip = lazy(async () => ({ default: (await import('./sip/sip')).Sip }))
const Logs = lazy(async () => ({ default: (await import('./logs')).Logs }))
const Player = lazy(async () => ({ default: (await import('./player/player')).Player }))

/** Loads the parts that most calls show first. One that cannot be loaded fails where it is shown. */
export function loadFirstParts() {
  for (const part of [Course, Conversation]) part.preload().catch(() => undefined)
}

const COURSE = 'course'
/** The depths of the first tab, which the URL names like tabs. */
const course: Part[] = [
  {
    id: 'conversation',
    label: t('Conversation'),
    Content: Conversation,
    seen: (_, { conversation }) => conversation,
  },
  { id: 'timeline', label: t('Timeline'), Content: Timeline, seen: hasTimes },
]

/** The other tabs of a call. Each part has its own chunk and loads its data when opened. */
const parts: Part[] = [
  { id: 'details', label: t('Details'), Content: Details },
  { id: 'sip', label: 'SIP', Content: Sip },
  { id: 'tracing', label: t('Tracing'), Content: Tracing, seen: () => hasTracing },
  {
    id: 'logs',
    label: t('Logs'),
    Content: Logs,
    // as in the platform's own console: without tracing there are only details
    seen: () => hasTracing && config.AWS_REGION !== undefined,
  },
]

/** Everything about one call: what happened in a sentence, and the rest in tabs. `tab` is in the URL. */
export function CallParts({
  call,
  tab,
  said,
  actions,
}: {
  call: Call
  tab: string | undefined
  /** Words that the calls were searched by. */
  said: string | undefined
  /** Beside the sentence. */
  actions?: ReactNode
}) {
  const navigate = useNavigate()
  const [playback] = useState(playbackStore)
  const [cursor] = useState(cursorStore)
  const { data: capture } = useCapture(call)
  const conversation = useConversation(call)
  const { transcription, ...transcribing } = useTranscription(call)
  useRefreshedConversation(transcription)
  // once known, it stays: another default would take away the tab that is being read
  const [known, setKnown] = useState<boolean>()
  const hasWords = conversation.isSpoken || transcription?.parts.some(({ text }) => text) === true
  const isSpoken =
    known ?? (conversation.isAwaited || transcribing.isAwaited ? undefined : hasWords)
  useEffect(() => setKnown(isSpoken), [isSpoken])
  const has = {
    capture: !!capture?.messages.length,
    conversation:
      conversation.isShown ||
      (conversation.isOffered && tab === 'conversation') ||
      transcribing.isOffered ||
      transcription !== undefined,
  }
  const isSeen = ({ seen }: Part) => seen?.(call, has) ?? true
  const depths = course.filter(isSeen)
  const tabs = parts.filter(isSeen)
  const first =
    isSpoken === undefined
      ? undefined
      : isSpoken
        ? 'conversation'
        : isTimed(call)
          ? 'timeline'
          : 'details'
  const active = [...depths, ...tabs].find(({ id }) => id === tab)?.id ?? first
  const opened = useOpened(active)
  // behind another tab, the depth that was seen last
  const [last, setLast] = useState<string>()
  const depth = [active, last, first].find((id) => depths.some((d) => d.id === id)) ?? depths[0]?.id
  const isInCourse = depth !== undefined && active === depth
  useEffect(() => {
    if (isInCourse) setLast(depth)
  }, [isInCourse, depth])
  const open = (id: string) =>
    void navigate({
      to: '.',
      search: ((old: Search) => defined({ ...old, tab: id === first ? undefined : id })) as never,
      replace: true,
      resetScroll: false,
    })
  const contentOf = ({ id, Content }: Part) =>
    opened.includes(id) && (
      <Suspense fallback={<RoutePending />}>
        <Content call={call} account_sid={call.account_sid} said={said} isShown={id === active} />
      </Suspense>
    )
  return (
    <PlaybackContext value={playback}>
      <div className="call">
        <div className="call-head">
          <Sentence call={call} />
          <ReportButtons call={call} />
          {actions}
        </div>
        <Things call={call} />
        <Contradictions call={call} />
        {isRecorded(call) && (
          <Suspense fallback={<RoutePending />}>
            <Player call={call} account_sid={call.account_sid} />
          </Suspense>
        )}
        {active === undefined ? (
          <RoutePending />
        ) : (
          <Tabs
            label={t('Parts of the call')}
            value={isInCourse ? COURSE : active}
            onChange={(id) => open(id === COURSE ? depth! : id)}
            tabs={[
              ...(depth === undefined
                ? []
                : [
                    {
                      id: COURSE,
                      label: t('What happened'),
                      content: (
                        <CursorContext value={cursor}>
                          <Suspense fallback={<RoutePending />}>
                            <Course
                              depths={depths.map((d) => ({ ...d, content: contentOf(d) }))}
                              value={depth}
                              onChange={open}
                            />
                          </Suspense>
                        </CursorContext>
                      ),
                    },
                  ]),
              ...tabs.map((part) => ({ ...part, content: contentOf(part) })),
            ]}
          />
        )}
      </div>
    </PlaybackContext>
  )
}

/** Links to the account, application and carrier of a call. */
function Things({ call }: { call: Call }) {
  const { account_sid, application_sid, trunk } = call
  const things: [name: string, link: ReactNode][] = [
    [t('Account'), account_sid && !ownAccount() && <AccountLink account_sid={account_sid} />],
    [t('Application'), application_sid && <ApplicationLink application_sid={application_sid} />],
    [t('Carrier'), trunk && <CarrierLink call={call} trunk={trunk} />],
  ]
  return (
    <dl className="call-things">
      {things.map(
        ([name, link]) =>
          link && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{link}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

const Contradictions = ({ call }: { call: Call }) =>
  useContradictions(call).map((text) => (
    <p key={text} className="call-cut">
      {text}
    </p>
  ))

function Sentence({ call }: { call: Call }) {
  const format = usePhoneFormat([call.from, call.to].filter((n) => n !== null))
  const { data } = useCapture(call)
  const { data: trace } = useConversation(call)
  return <p className="call-sentence">{callSentence(call, format, data, trace)}</p>
}
