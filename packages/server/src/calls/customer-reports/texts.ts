import type { Language, NotAnswered } from '@switchroom/contract'

/** The words of a mail. */
export type Texts = {
  locale: string
  subject: (account: string, month: string) => string
  title: (month: string) => string
  none: (month: string) => string
  keptSince: (date: string) => string
  figure: string
  calls: string
  inbound: string
  outbound: string
  answered: string
  minutes: string
  average: string
  busiestDay: string
  busiestHour: string
  hour: (from: number) => string
  notAnswered: string
  causes: Record<NotAnswered, string>
  applications: string
  noApplication: string
  callers: string
  called: string
  times: (zone: string) => string
  open: string
  openUntil: (date: string) => string
  why: (account: string) => string
  unsubscribe: string
}

const two = (n: number) => String(n % 24).padStart(2, '0')

export const TEXTS: Record<Language, Texts> = {
  en: {
    locale: 'en-US',
    subject: (account, month) => `${account}: calls in ${month}`,
    title: (month) => `Calls in ${month}`,
    none: (month) => `No calls in ${month}.`,
    keptSince: (date) => `Calls before ${date} are no longer kept and are not counted.`,
    figure: 'Figure',
    calls: 'Calls',
    inbound: 'Inbound',
    outbound: 'Outbound',
    answered: 'Answered',
    minutes: 'Minutes',
    average: 'Average duration',
    busiestDay: 'Busiest day',
    busiestHour: 'Busiest hour',
    hour: (from) => `${two(from)}:00 to ${two(from + 1)}:00`,
    notAnswered: 'Calls that were not answered',
    causes: {
      busy: 'Busy',
      no_answer: 'No answer',
      cancelled: 'Cancelled by the caller',
      not_found: 'Number not found',
      rejected: 'Rejected',
      redirected: 'Redirected',
      failed: 'Failed',
      not_answered: 'Not answered',
    },
    applications: 'By application',
    noApplication: 'No application',
    callers: 'Most frequent callers',
    called: 'Most called numbers',
    times: (zone) => `All times in ${zone}.`,
    open: 'Open the report, with its charts and the list of calls',
    openUntil: (date) => `The link works until ${date}, without a log-in: forward it with care.`,
    why: (account) =>
      `You get this mail on the first day of each month, for the calls of ${account}.`,
    unsubscribe: 'Unsubscribe',
  },
  de: {
    locale: 'de',
    subject: (account, month) => `${account}: Anrufe im ${month}`,
    title: (month) => `Anrufe im ${month}`,
    none: (month) => `Keine Anrufe im ${month}.`,
    keptSince: (date) =>
      `Anrufe vor dem ${date} sind nicht mehr gespeichert und werden nicht gezählt.`,
    figure: 'Kennzahl',
    calls: 'Anrufe',
    inbound: 'Eingehend',
    outbound: 'Ausgehend',
    answered: 'Angenommen',
    minutes: 'Minuten',
    average: 'Mittlere Dauer',
    busiestDay: 'Stärkster Tag',
    busiestHour: 'Stärkste Stunde',
    hour: (from) => `${two(from)}:00 bis ${two(from + 1)}:00`,
    notAnswered: 'Nicht angenommene Anrufe',
    causes: {
      busy: 'Besetzt',
      no_answer: 'Keine Antwort',
      cancelled: 'Vom Anrufer abgebrochen',
      not_found: 'Rufnummer nicht gefunden',
      rejected: 'Abgewiesen',
      redirected: 'Umgeleitet',
      failed: 'Fehlgeschlagen',
      not_answered: 'Nicht angenommen',
    },
    applications: 'Nach Anwendung',
    noApplication: 'Keine Anwendung',
    callers: 'Häufigste Anrufer',
    called: 'Meistgewählte Rufnummern',
    times: (zone) => `Alle Zeiten in ${zone}.`,
    open: 'Bericht öffnen, mit Diagrammen und Anrufliste',
    openUntil: (date) =>
      `Der Link gilt bis zum ${date} und braucht keine Anmeldung: nur mit Bedacht weitergeben.`,
    why: (account) =>
      `Diese E-Mail kommt am ersten Tag jedes Monats, für die Anrufe von ${account}.`,
    unsubscribe: 'Abbestellen',
  },
}
