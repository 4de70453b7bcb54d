import {
  busiestHour,
  busiestOf,
  type CustomerReport,
  causesByKind,
  durationText,
  type Language,
  type ReportTotals,
} from '@switchroom/contract'
import type { Message } from '../../outbound/mail.ts'
import { TEXTS } from './texts.ts'

export type MailBrand = {
  name: string | null
  color: string | null
  /** A PNG. */
  logo: Buffer | undefined
}

export type Mailed = {
  to: string
  report: CustomerReport
  language: Language
  brand: MailBrand | undefined
  /** To the report, and when it ends; undefined where this server does not know its own address. */
  link: { url: string; ends_at: string } | undefined
  unsubscribe: string | undefined
}

const LOGO = 'logo'
/** Lines of a list that a mail shows. */
const MOST = 5

type Section = { title: string; rows: string[][]; head?: string[] }

/** The mail of a report: its figures as text and as a table, without anything that is loaded from elsewhere. */
export function mailOf({ to, report, language, brand, link, unsubscribe }: Mailed): Message {
  const texts = TEXTS[language]
  const { locale } = texts
  const month = monthText(report.from, locale)
  const dayText = (date: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))
  const momentText = (at: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: report.time_zone }).format(
      new Date(at),
    )
  const { total, kept_since, account_name } = report
  const isCut = kept_since !== null && kept_since > report.start
  const notes = [
    ...(total.calls === 0 ? [texts.none(month)] : []),
    ...(isCut ? [texts.keptSince(momentText(kept_since))] : []),
  ]
  const sections = total.calls === 0 ? [] : sectionsOf(report, language, dayText)
  const foot = [texts.times(report.time_zone.replaceAll('_', ' ')), texts.why(account_name)]
  const parts = { ...{ account_name, title: texts.title(month), notes, sections, foot } }
  const links = {
    open: link && { ...link, text: texts.open, note: texts.openUntil(momentText(link.ends_at)) },
    unsubscribe: unsubscribe && { url: unsubscribe, text: texts.unsubscribe },
  }
  return {
    to,
    subject: texts.subject(account_name, month),
    text: plainText(parts, links, brand),
    html: markup(parts, links, brand, language),
    from_name: brand?.name ?? undefined,
    unsubscribe,
    ...(brand?.logo && {
      pictures: [{ cid: LOGO, content: brand.logo, contentType: 'image/png' }],
    }),
  }
}

const monthText = (date: string, locale: string) =>
  new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(date),
  )

function sectionsOf(
  report: CustomerReport,
  language: Language,
  dayText: (date: string) => string,
): Section[] {
  const texts = TEXTS[language]
  const { locale } = texts
  const number = (n: number) => new Intl.NumberFormat(locale).format(n)
  const minutes = (seconds: number) =>
    new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(seconds / 60)
  const percent = ({ answered, not_answered }: ReportTotals) =>
    answered + not_answered === 0
      ? '–'
      : new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(
          answered / (answered + not_answered),
        )
  const average = ({ seconds, timed }: ReportTotals) =>
    (timed > 0 && durationText(seconds / timed)) || '–'
  const { total, before, times, hours } = report
  const figure = (name: string, of: (totals: ReportTotals) => string) => [
    name,
    of(total),
    ...(before ? [of(before.total)] : []),
  ]
  const most = busiestOf(times)
  const hour = busiestHour(hours)
  const listed = (all: readonly { number: string; calls: number }[]) =>
    all.slice(0, MOST).map((one) => [one.number, number(one.calls)])
  return [
    {
      title: '',
      head: [
        texts.figure,
        monthText(report.from, locale),
        ...(before ? [monthText(before.from, locale)] : []),
      ],
      rows: [
        figure(texts.calls, ({ calls }) => number(calls)),
        figure(texts.inbound, ({ inbound }) => number(inbound)),
        figure(texts.outbound, ({ outbound }) => number(outbound)),
        figure(texts.answered, percent),
        figure(texts.minutes, ({ seconds }) => minutes(seconds)),
        figure(texts.average, average),
      ],
    },
    {
      title: '',
      rows: [
        ...(most ? [[texts.busiestDay, `${dayText(most.date)} (${number(most.calls)})`]] : []),
        ...(hour ? [[texts.busiestHour, `${texts.hour(hour.hour)} (${number(hour.calls)})`]] : []),
      ],
    },
    {
      title: texts.notAnswered,
      rows: causesByKind(report.causes).map(({ kind, calls }) => [
        texts.causes[kind],
        number(calls),
      ]),
    },
    {
      title: texts.applications,
      rows: report.applications
        .slice(0, MOST)
        .map(({ name, calls }) => [name ?? texts.noApplication, number(calls)]),
    },
    { title: texts.callers, rows: listed(report.callers) },
    { title: texts.called, rows: listed(report.called) },
  ].filter(({ rows }) => rows.length > 0)
}

type Parts = {
  account_name: string
  title: string
  notes: string[]
  sections: Section[]
  foot: string[]
}
type Links = {
  open: { url: string; text: string; note: string } | undefined
  unsubscribe: { url: string; text: string } | '' | undefined
}

function plainText(
  { account_name, title, notes, sections, foot }: Parts,
  { open, unsubscribe }: Links,
  brand: MailBrand | undefined,
) {
  const lines = ({ title: name, head, rows }: Section) => {
    const all = head ? [head, ...rows] : rows
    const widths = all[0]!.map((_, i) => Math.max(...all.map((row) => (row[i] ?? '').length)))
    const text = all.map((row) =>
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
        .join('  '),
    )
    return [...(name ? [name] : []), ...text].join('\n')
  }
  return [
    ...(brand?.name ? [brand.name] : []),
    `${account_name}\n${title}`,
    ...notes,
    ...sections.map(lines),
    ...(open ? [`${open.text}:\n${open.url}\n${open.note}`] : []),
    foot.join('\n'),
    ...(unsubscribe ? [`${unsubscribe.text}: ${unsubscribe.url}`] : []),
  ]
    .join('\n\n')
    .concat('\n')
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

const CELL = 'padding:6px 12px 6px 0;border-bottom:1px solid #ddd;text-align:'

function markup(
  { account_name, title, notes, sections, foot }: Parts,
  { open, unsubscribe }: Links,
  brand: MailBrand | undefined,
  language: Language,
) {
  const row = (cells: string[], tag: 'td' | 'th') =>
    `<tr>${cells
      .map((cell, i) => {
        const scope = tag === 'th' ? ' scope="col"' : ''
        return `<${tag}${scope} style="${CELL}${i === 0 ? 'left' : 'right'}">${escaped(cell)}</${tag}>`
      })
      .join('')}</tr>`
  const table = ({ title: name, head, rows }: Section) =>
    `${name && `<h2 style="margin:24px 0 8px;font-size:16px">${escaped(name)}</h2>`}<table style="width:100%;margin:0 0 8px;border-collapse:collapse;font-size:14px">${
      head ? row(head, 'th') : ''
    }${rows.map((cells) => row(cells, 'td')).join('')}</table>`
  const paragraph = (text: string) => `<p style="margin:8px 0">${text}</p>`
  const small = (text: string) => `<p style="margin:8px 0;color:#555;font-size:12px">${text}</p>`
  const link = ({ url, text }: { url: string; text: string }) =>
    `<a href="${escaped(url)}" style="color:#0b57d0">${escaped(text)}</a>`
  const sender = brand?.logo
    ? `<img src="cid:${LOGO}" alt="${escaped(brand.name ?? '')}" height="32" style="height:32px">`
    : brand?.name && `<strong>${escaped(brand.name)}</strong>`
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escaped(title)}</title></head><body style="margin:0;background:#fff;color:#111;font-family:sans-serif"><div style="max-width:600px;margin:0 auto;padding:16px;border-top:4px solid ${brand?.color ?? '#777'}">${
    sender ? paragraph(sender) : ''
  }<h1 style="margin:8px 0;font-size:20px;overflow-wrap:anywhere">${escaped(account_name)}</h1>${paragraph(escaped(title))}${notes
    .map((note) => paragraph(escaped(note)))
    .join('')}${sections.map(table).join('')}${
    open ? paragraph(link(open)) + small(escaped(open.note)) : ''
  }${foot.map((text) => small(escaped(text))).join('')}${
    unsubscribe ? small(link(unsubscribe)) : ''
  }</div></body></html>`
}
