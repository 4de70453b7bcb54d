import { type Call, type Conversation as Talk, t } from '@switchroom/contract'
import { useContext, useRef, useState } from 'react'
import { PlainLink } from '../../../lib/plain-link'
import { Button, buttonClass } from '../../../ui/button'
import { Findings } from '../../../ui/findings'
import turnsSheet from '../../../ui/turns.css?url'
import { isTraced } from '../../call-text'
import { compareHref } from '../../compare/address'
import type { PartProps } from '../part'
import { PlaybackContext, usePlayingStatus } from '../player/playback-store'
import { idOf } from '../search'
import sheet from './conversation.css?url'
import { hasCutTexts, timeText } from './conversation-text'
import { Entries } from './entries'
import { Figures } from './figures'
import { FoundWords } from './found-words'
import { WordsContext, wordsNote } from './kept-words'
import partsSheet from './response-parts.css?url'
import { useConversation } from './use-conversation'
import { useFollow } from './use-follow'
import { useFound } from './use-found'
import { showRow } from './use-row-keys'
import { WithoutConversation } from './without'

/** What was said in a call, and how long each side waited. */
export function Conversation({ call, account_sid, said }: PartProps) {
  const result = useConversation(call)
  const { data } = result
  const isThere = isTraced(call) && account_sid !== null && data && data.entries.length > 0
  return isThere ? (
    <Turns call={call} conversation={data} said={said} />
  ) : (
    <WithoutConversation call={call} result={result} />
  )
}

function Turns({
  call,
  conversation,
  said,
}: {
  call: Call
  conversation: Talk
  said: string | undefined
}) {
  const { began, answered, entries, findings, recording, cut, words } = conversation
  const note = wordsNote(words)
  const list = useRef<HTMLOListElement>(null)
  const [isFollowing, setIsFollowing] = useState(false)
  useFollow(list, entries, recording, isFollowing)
  const show = (index: number) => showRow(list.current, index)
  const found = useFound(entries, said)
  const id = idOf(call)
  const timeOf = (index: number) => timeText(entries[index]?.at ?? began, answered ?? began)
  return (
    <div className="conversation">
      {/* lists need none of it */}
      <link rel="stylesheet" href={sheet} precedence="page" />
      <link rel="stylesheet" href={turnsSheet} precedence="page" />
      <link rel="stylesheet" href={partsSheet} precedence="page" />
      <div className="conversation-top">
        <Figures conversation={conversation} onShow={show} />
        {id && (
          <PlainLink href={compareHref({ b: id })} className={buttonClass('plain', 'small')}>
            {t('Compare with another call')}
          </PlainLink>
        )}
      </div>
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
      {recording !== null && <Sound isFollowing={isFollowing} onFollow={setIsFollowing} />}
      <WordsContext value={words}>
        <FoundWords said={said} found={found} list={list} onShow={show}>
          <Entries conversation={conversation} list={list} onFocusRow={show} />
        </FoundWords>
      </WordsContext>
    </div>
  )
}

/** Loads the recording, and then lets the list follow it. */
function Sound({
  isFollowing,
  onFollow,
}: {
  isFollowing: boolean
  onFollow: (isFollowing: boolean) => void
}) {
  const { get } = useContext(PlaybackContext)
  const status = usePlayingStatus()
  const load = () => {
    const playing = get()
    if (playing?.status === 'idle') playing.load()
  }
  if (status === undefined) return null
  return (
    <div className="conversation-sound">
      {status === 'ready' ? (
        <label>
          <input
            type="checkbox"
            checked={isFollowing}
            onChange={(e) => onFollow(e.target.checked)}
          />
          {t('Follow the recording')}
        </label>
      ) : (
        <Button size="small" busy={status === 'loading'} onClick={load}>
          {status === 'loading' ? t('Loading the recording…') : t('Load the recording')}
        </Button>
      )}
    </div>
  )
}
