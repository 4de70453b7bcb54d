import { type Call, type Conversation as Talk, type Transcription, t } from '@switchroom/contract'
import { useContext, useMemo, useRef, useState } from 'react'
import { mayWrite } from '../../../lib/access'
import { PlainLink } from '../../../lib/plain-link'
import { buttonClass } from '../../../ui/button'
import { Findings } from '../../../ui/findings'
import turnsSheet from '../../../ui/turns.css?url'
import { isTraced } from '../../call-text'
import { testCaseOfCallHref } from '../../case-address'
import { compareHref } from '../../compare-address'
import { idOf } from '../../search'
import { useVendorNames, VendorNames } from '../../use-vendor-names'
import { CursorContext } from '../cursor'
import type { PartProps } from '../part'
import { CallScores } from '../scores/call-scores'
import { TranscribeButton } from '../transcription/transcribe-button'
import { TranscriptionState } from '../transcription/transcription-state'
import { turnsOf } from '../transcription/transcription-text'
import { useTranscription } from '../transcription/use-transcription'
import { useHungUpBy } from '../use-hung-up'
import sheet from './conversation.css?url'
import { hasCutTexts, timeText } from './conversation-text'
import { Entries } from './entries'
import { Figures } from './figures'
import { startsOf } from './follow'
import { FoundWords } from './found-words'
import { WordsContext, wordsNote } from './kept-words'
import { RecordedTurns } from './recorded-turns'
import partsSheet from './response-parts.css?url'
import { Sound } from './sound'
import { useConversation } from './use-conversation'
import { useFollow } from './use-follow'
import { useFound } from './use-found'
import { showRow } from './use-row-keys'
import { WithoutConversation } from './without'

/** Words of both sides and how long each waited. A call without a trace shows what was heard in its recording. */
export function Conversation({ call, account_sid, said, isShown = true }: PartProps) {
  const result = useConversation(call)
  const { transcription, isOffered } = useTranscription(call)
  const { data } = result
  const isThere = isTraced(call) && account_sid !== null && data && data.entries.length > 0
  const recorded = useMemo(() => (transcription ? turnsOf(transcription) : []), [transcription])
  return (
    <div className="conversation">
      {/* lists need none of it */}
      <link rel="stylesheet" href={sheet} precedence="page" />
      <link rel="stylesheet" href={turnsSheet} precedence="page" />
      <link rel="stylesheet" href={partsSheet} precedence="page" />
      {isThere ? (
        <Turns
          call={call}
          conversation={data}
          transcription={transcription}
          isOffered={isOffered}
          said={said}
          isShown={isShown}
        />
      ) : (
        <>
          {transcription && (
            <TranscriptionState call={call} transcription={transcription} conversation={data} />
          )}
          {recorded.length > 0 ? (
            <RecordedTurns entries={recorded} said={said} isShown={isShown} />
          ) : (
            <WithoutConversation call={call} result={result}>
              {isOffered && (
                <>
                  <p>{t('It has a recording, which a speech service can transcribe.')}</p>
                  <TranscribeButton call={call} conversation={data} />
                </>
              )}
            </WithoutConversation>
          )}
        </>
      )}
    </div>
  )
}

function Turns({
  call,
  conversation,
  transcription,
  isOffered,
  said,
  isShown,
}: {
  call: Call
  conversation: Talk
  transcription: Transcription | undefined
  /** True if the user may have the recording transcribed. */
  isOffered: boolean
  said: string | undefined
  isShown: boolean
}) {
  const { began, answered, entries, findings, recording, cut, words } = conversation
  const note = wordsNote(words)
  const list = useRef<HTMLOListElement>(null)
  const [isFollowing, setIsFollowing] = useState(false)
  const starts = useMemo(() => startsOf(entries), [entries])
  useFollow(list, starts, recording, useContext(CursorContext), { isFollowing, isShown })
  const show = (index: number) => showRow(list.current, index)
  const found = useFound(entries, said)
  const party = useHungUpBy(call)
  const id = idOf(call)
  const timeOf = (index: number) => timeText(entries[index]?.at ?? began, answered ?? began)
  return (
    <>
      <div className="conversation-top">
        <Figures conversation={conversation} party={party} onShow={show} />
        <div className="conversation-actions">
          {isOffered && <TranscribeButton call={call} conversation={conversation} />}
          <MakeTestCase call={call} />
          {id && (
            <PlainLink href={compareHref({ b: id })} className={buttonClass('plain', 'small')}>
              {t('Compare with another call')}
            </PlainLink>
          )}
        </div>
      </div>
      {transcription && (
        <TranscriptionState call={call} transcription={transcription} conversation={conversation} />
      )}
      <Findings
        findings={findings.map(({ tone, text, entry }) => ({ tone, text, at: entry }))}
        badText={t('Problem')}
        labelOf={(index) => t('Show the entry at {time}', { time: timeOf(index) })}
        onShow={show}
      />
      {cut && (
        <p role="note" className="call-cut">
          {t('This call has more messages or spans than this page can show.')}
        </p>
      )}
      {note && (
        <p role="note" className="conversation-note">
          {note}
        </p>
      )}
      {hasCutTexts(conversation) && (
        <p role="note" className="conversation-note">
          {t('Traces contain only the beginning of what the application says.')}
        </p>
      )}
      <CallScores call={call} />
      {recording !== null && <Sound isFollowing={isFollowing} onFollow={setIsFollowing} />}
      <WordsContext value={words}>
        <VendorNames value={useVendorNames(true)}>
          <FoundWords said={said} found={found} list={list} onShow={show}>
            <Entries conversation={conversation} list={list} onFocusRow={show} />
          </FoundWords>
        </VendorNames>
      </WordsContext>
    </>
  )
}

/** Leads to a test case of the call's application, which says and presses what its caller did. */
function MakeTestCase({ call: { account_sid, application_sid, trace_id } }: { call: Call }) {
  if (!account_sid || !application_sid || !trace_id || !mayWrite()) return null
  return (
    <PlainLink
      href={testCaseOfCallHref(application_sid, { account_sid, trace_id })}
      className={buttonClass('plain', 'small')}
    >
      {t('Make a test case')}
    </PlainLink>
  )
}
