import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { plural, searchText, t } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { Search as SearchIcon } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { atLeast } from '../lib/access'
import { query } from '../lib/api'
import { isSwitchroom } from '../lib/config'
import { selectProvider, storedProvider } from '../lib/current-provider'
import { search } from '../lib/endpoints'
import { messageOf } from '../lib/failure'
import { usePhoneFormat } from '../lib/phone-format'
import { useTroublesOf } from '../lib/state/use-troubles-of'
import type { Item, RecentThing } from '../lib/thing'
import { thingAt } from '../lib/thing-href'
import { useDebounced } from '../lib/use-debounced'
import { useProvider } from '../lib/use-provider'
import { timeText } from '../ui/dates'
import { Notice } from '../ui/notice'
import { rich } from '../ui/rich'
import { Answer, PlusProblem, Trouble } from './palette-answer'
import { callItems, commandIn, thingActions } from './palette-commands'
import { type Group, keepDownTo, matches } from './palette-item'
import {
  actionItems,
  idOf,
  listItems,
  numberItems,
  pageItems,
  simulateItem,
  thingItem,
} from './palette-items'
import { addRecent, noteVisit, recentThings } from './recent-things'
import './palette.css'

export type PaletteProps = {
  open: boolean
  /** Text typed before the palette had the focus. */
  early: string
  onClose: () => void
  onKeys: () => void
}

const PAUSE = 120
/** Pause in milliseconds before states are fetched, which follow the names. */
const STATE_PAUSE = 300
/** The server's own limit. */
const MAX = 100
/** Digits from which on a number is looked up. */
const MIN_DIGITS = 3
const MIN_TEXT = 2
/** Most resources that a command is offered for. */
const MAX_COMMANDED = 4

/** Searches pages, actions and resources. Works with the keyboard alone. */
export function Palette(props: PaletteProps) {
  const { open, onClose } = props
  /** True if the palette closed because the user went to another screen. */
  const leaves = useRef(false)
  useEffect(() => {
    if (open) leaves.current = false
  }, [open])
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup
          className="dialog palette"
          data-palette
          aria-label={t('Search')}
          // what had the focus is far from the new screen
          finalFocus={() => (leaves.current ? document.getElementById('main') : true)}
        >
          <Content
            {...props}
            onLeave={() => {
              leaves.current = true
            }}
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Searches for the typed text. */
function useSearches(typed: string) {
  const text = typed.trim()
  const settled = useDebounced(text, PAUSE)
  const { digits = '' } = searchText(settled)
  const things = useQuery({
    ...query(search.find, { query: { q: (commandIn(settled)?.name ?? settled).trim() } }),
    enabled: isSwitchroom() && settled.length >= MIN_TEXT,
    placeholderData: keepPreviousData,
    meta: { inline: true },
    retry: false,
  })
  const number = useQuery({
    ...query(search.number, { query: { number: settled } }),
    enabled: isSwitchroom() && digits.length >= MIN_DIGITS,
    meta: { inline: true },
    retry: false,
  })
  const isCurrent = settled === text && !things.isPlaceholderData
  return {
    things,
    number,
    isCurrent,
    isSearching: isSwitchroom() && (settled !== text || things.isFetching),
  }
}

/** Runs an item, at the provider whose it is. */
function useRun(onClose: () => void, onLeave: () => void) {
  const navigate = useNavigate()
  return ({ href, run, provider, thing }: Item) => {
    if (href) onLeave()
    onClose()
    if (thing && thing.kind !== 'call') addRecent(thing)
    if (provider && atLeast('admin') && provider !== storedProvider()) selectProvider(provider)
    if (href) void navigate({ href })
    run?.()
  }
}

function Content({
  open,
  early,
  onClose,
  onKeys,
  onLeave,
}: PaletteProps & { onLeave: () => void }) {
  const [typed, setTyped] = useState(early)
  // also when it opens again while it is still closing
  useEffect(() => {
    if (open) setTyped(early)
  }, [open, early])
  const text = typed.trim()
  const provider = useProvider()
  const run = useRun(onClose, onLeave)
  const { things, number, isCurrent, isSearching } = useSearches(typed)
  const { state } = useRouter()
  const recent = useMemo(() => {
    noteVisit(state.location.pathname)
    return recentThings()
  }, [state.location.pathname])
  const here = recent.find(({ sid }) => sid === thingAt(state.location.pathname)?.sid)
  const found = text.length < MIN_TEXT ? [] : (things.data?.data ?? [])
  const troubles = useTroublesOf(
    useDebounced(text ? found : recent, STATE_PAUSE, (all) => all.map(({ sid }) => sid).join()),
  )
  const format = usePhoneFormat(
    [...found, ...recent].flatMap((f) => (f.kind === 'phone_number' ? f.name : [])),
  )

  const fresh = useMemo((): Group[] => {
    const nameOf = (f: RecentThing) => (f.kind === 'phone_number' ? format(f.name) : f.name)
    const asItem = (f: RecentThing) =>
      thingItem(f, nameOf(f), f.kind === 'call' && f.detail ? timeText(f.detail) : f.detail)
    const ofThing = here ? thingActions(here, nameOf(here)) : []
    const pages = pageItems(provider)
    const actions = actionItems(provider, onKeys)
    if (!text)
      return named(
        [t('Recent'), recent.map(asItem)],
        [here ? nameOf(here) : '', ofThing],
        [t('Pages'), pages],
        [t('Actions'), actions],
      )
    const simulated = simulatedIn(text)
    const { digits = '' } = searchText(text)
    const isNumber = digits.length >= MIN_DIGITS
    const answer = number.data?.digits === digits ? number.data : undefined
    // what another search has found stays while it may still match, so that Enter opens nothing else
    const stays = (item: Item) =>
      isCurrent ||
      matches(item, text) ||
      (digits !== '' && item.label.replace(/\D/g, '').includes(digits))
    const commanded = commandIn(text)
    const commands = commanded
      ? found.slice(0, MAX_COMMANDED).flatMap((f) => thingActions(f, nameOf(f)))
      : []
    // each once, what is on screen first
    const done = [...new Map([...ofThing, ...commands].map((item) => [item.id, item])).values()]
    const isSimilar = found.some((f) => f.is_similar)
    return named(
      [t('Simulate'), simulated && isSwitchroom() ? [simulateItem(simulated)] : []],
      [t('Pages'), pages.filter((item) => matches(item, text))],
      [t('Actions'), [...done, ...actions].filter((item) => matches(item, text))],
      [
        isSimilar ? t('Similar names') : t('Results'),
        simulated ? [] : found.map(asItem).filter(stays),
      ],
      [t('Number'), isNumber && isSwitchroom() ? numberItems(digits, answer, format) : []],
      [
        t('In lists'),
        !isNumber && !simulated && text.length >= MIN_TEXT
          ? [...listItems(commanded?.name ?? text), ...callItems(commanded?.name ?? text)]
          : [],
      ],
    )
  }, [text, provider, recent, here, found, number.data, isCurrent, format, onKeys])

  /** The item that the user moved to, with the text and the groups shown then. */
  const [chosen, setChosen] = useState<{ text: string; id: string; shown: Group[] }>()
  const groups = useMemo(
    () => (chosen?.text === text ? keepDownTo(chosen.id, chosen.shown, fresh) : fresh),
    [chosen, text, fresh],
  )

  const troubleOf = ({ id, thing }: Item) =>
    thing && id === idOf(thing) ? troubles.get(thing.sid)?.state : undefined
  const count = groups.reduce((sum, { items }) => sum + items.length, 0)
  const failure = things.error ?? number.error
  return (
    <Autocomplete.Root
      open
      inline
      mode="none"
      items={groups}
      value={typed}
      onValueChange={setTyped}
      autoHighlight="always"
      keepHighlight
      itemToStringValue={(item: Item) => item.label}
      // the library keeps the highlight's position, not its item
      onItemHighlighted={(item: Item | undefined, { reason }) => {
        if (item && reason !== 'none') setChosen({ text, id: item.id, shown: groups })
      }}
    >
      <div className="palette-field">
        <SearchIcon aria-hidden />
        <Autocomplete.Input
          className="palette-input"
          aria-label={t('Search pages, names, numbers and IDs')}
          placeholder={t('Search pages, names, numbers…')}
          maxLength={MAX}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="none"
        />
        <Dialog.Close className="palette-close">
          <kbd aria-hidden>Esc</kbd>
          <span className="visually-hidden">{t('Close')}</span>
        </Dialog.Close>
      </div>
      {failure && text.length >= MIN_TEXT && (
        <Notice tone="bad">
          {rich('The search failed: {message}', { message: messageOf(failure) })}
        </Notice>
      )}
      <Answer answer={isCurrent && text ? number.data : undefined} />
      <PlusProblem typed={simulatedIn(text) ?? ''} />
      <Autocomplete.Status className="visually-hidden">
        {isSearching ? '' : plural(count, '1 result|{n} results')}
      </Autocomplete.Status>
      <Autocomplete.Empty>
        <div className="combobox-none">{isSearching ? t('Searching…') : t('Nothing found')}</div>
      </Autocomplete.Empty>
      <Autocomplete.List className="combobox-list palette-list" aria-label={t('Results')}>
        {(group: Group) => (
          <Autocomplete.Group key={group.value} items={group.items} className="palette-group">
            <Autocomplete.GroupLabel className="palette-label">
              {group.value}
            </Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(item: Item) => (
                <Autocomplete.Item
                  key={item.id}
                  value={item}
                  className="combobox-item palette-item"
                  onClick={() => run(item)}
                >
                  <item.icon aria-hidden />
                  <span className="palette-name">{item.label}</span>
                  <Trouble state={troubleOf(item)} />
                  {item.detail && <span className="palette-detail">{item.detail}</span>}
                  {item.key && (
                    <span className="palette-keys">
                      <kbd>g</kbd> <kbd>{item.key}</kbd>
                    </span>
                  )}
                </Autocomplete.Item>
              )}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  )
}

const named = (...groups: [string, Item[]][]): Group[] =>
  groups.flatMap(([value, items]) => (items.length > 0 ? { value, items } : []))

/** Text after the command word, in the form the simulator takes: digits as dialled, without separators. */
function simulatedIn(typed: string): string | undefined {
  const text = /^sim\w*\s+(\S.*)$/i.exec(typed)?.[1]
  if (text === undefined || searchText(text).digits === undefined) return text
  return text.replace(/[^\d+]/g, '')
}
