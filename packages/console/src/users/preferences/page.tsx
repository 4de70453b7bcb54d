import { type Language, LOCAL_TIME, type Preferences, t } from '@switchroom/contract'
import { useEffect, useMemo, useState } from 'react'
import { mayWrite } from '../../lib/access'
import { isSwitchroom } from '../../lib/config'
import { filePreferences } from '../../lib/file-preferences'
import { isShown } from '../../lib/getting-started-shown'
import { chosenLanguage } from '../../lib/language'
import { savePreferences } from '../../lib/save-preferences'
import { useCapabilities } from '../../lib/use-capabilities'
import { ComboboxField } from '../../ui/combobox-field'
import { zonedText } from '../../ui/dates'
import { PageHeader } from '../../ui/page-header'
import { RadioField } from '../../ui/radio-field'
import { Section } from '../../ui/section'
import { SelectField } from '../../ui/select'
import { type Theme, useTheme } from '../../ui/theme'
import { useChosenTimeZone } from '../../ui/time-zone'
import { Switch } from '../../ui/toggle'
import { zoneOptions } from '../../ui/zone-options'

/** Each by its own name, for those who cannot read the others. */
const LANGUAGES: Record<Language, string> = { en: 'English', de: 'Deutsch' }
const languages = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))

const themes: { value: Theme; label: string }[] = [
  { value: 'system', label: t('As the system') },
  { value: 'light', label: t('Light') },
  { value: 'dark', label: t('Dark') },
]

/** How a person wants the console. Each choice takes effect at once, so there is nothing to save. */
export function PreferencesPage() {
  const isKept = !!useCapabilities()
  return (
    <>
      <PageHeader title={t('Preferences')} />
      <form className="form-more" onSubmit={(e) => e.preventDefault()}>
        <Section
          title={t('Language and time')}
          about={
            isKept
              ? t('Your choices apply at once, in every browser in which you log in.')
              : t('Your choices apply at once, in this browser only.')
          }
        >
          <LanguageField />
          <ZoneField />
        </Section>
        {isKept && (
          <Section
            title={t('Exported files')}
            about={t('Format of exported CSV files. Imports accept all of them.')}
          >
            <FileFields />
          </Section>
        )}
        <Section title={t('Appearance')}>
          <RadioField
            label={t('Theme')}
            options={themes}
            value={useTheme()}
            onChange={(theme) => void savePreferences({ theme: theme as Theme })}
          />
          {isSwitchroom() && mayWrite() && <GettingStartedField />}
        </Section>
      </form>
    </>
  )
}

const AS_THE_BROWSER = ''

function LanguageField() {
  const [language, setLanguage] = useState(chosenLanguage() ?? AS_THE_BROWSER)
  const [busy, setBusy] = useState(false)
  const change = async (next: string) => {
    setLanguage(next)
    setBusy(true)
    const isSaved = await savePreferences({ language: (next || null) as Language | null })
    // else the page is being loaded in that language
    if (isSaved) return
    setLanguage(language)
    setBusy(false)
  }
  return (
    <SelectField
      label={t('Language')}
      help={t('The page reloads in the language you choose.')}
      options={[{ value: AS_THE_BROWSER, label: t('Language of the browser') }, ...languages]}
      value={language}
      disabled={busy}
      onChange={(next) => void change(next)}
    />
  )
}

const CLOCK_MS = 1_000

function ZoneField() {
  const zones = useMemo(() => zoneOptions(), [])
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), CLOCK_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <ComboboxField
      label={t('Time zone')}
      help={t('For every time on screen, and where a day begins. Now: {zoned}', {
        zoned: zonedText(now),
      })}
      options={zones}
      value={useChosenTimeZone() ?? LOCAL_TIME}
      onChange={(time_zone) => void savePreferences({ time_zone: time_zone || LOCAL_TIME })}
    />
  )
}

const separators: { value: NonNullable<Preferences['file_separator']>; label: string }[] = [
  { value: 'comma', label: t('Comma') },
  { value: 'semicolon', label: t('Semicolon') },
  { value: 'tab', label: t('Tab') },
]
const clocks: { value: NonNullable<Preferences['file_times']>; label: string }[] = [
  { value: 'utc', label: 'UTC' },
  { value: 'own', label: t('In your time zone, which a column of the file names') },
]

function FileFields() {
  const [chosen, setChosen] = useState(filePreferences)
  const change = (next: Partial<typeof chosen>) => {
    setChosen({ ...chosen, ...next })
    void savePreferences(next)
  }
  return (
    <>
      <RadioField
        label={t('Separator')}
        help={t('Excel expects semicolons in languages with a decimal comma, such as German.')}
        options={separators}
        value={chosen.file_separator ?? 'comma'}
        onChange={(next) => change({ file_separator: next as typeof chosen.file_separator })}
      />
      <RadioField
        label={t('Times')}
        options={clocks}
        value={chosen.file_times ?? 'utc'}
        onChange={(next) => change({ file_times: next as typeof chosen.file_times })}
      />
    </>
  )
}

function GettingStartedField() {
  const [shown, setShown] = useState(isShown)
  return (
    <Switch
      label={t('Show “Getting started” in the menu')}
      value={shown}
      onChange={(next) => {
        setShown(next)
        void savePreferences({ hides_getting_started: !next })
      }}
    />
  )
}
