import { membersOf, t } from '@switchroom/contract'
import { textOf } from '../../stores/sip/sip.ts'
import type { Captured, End } from '../../stores/sip/store.ts'
import type { Finding } from './finding-text.ts'

/** Lower packet loss is inaudible. */
const LOSS = 0.05
/** Reports come about every five seconds: shorter calls allow no conclusion. */
const ENOUGH = 3

type Report = { packets: number | undefined; loss: number | undefined }

const number = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined

/** Parses a captured RTCP report in JSON; undefined for other packets. */
function reportOf(bytes: Uint8Array): Report | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(textOf(bytes))
  } catch {
    return undefined
  }
  const { type, sender_information, report_blocks } = membersOf(parsed)
  if (type !== 200 && type !== 201) return undefined
  const sender = membersOf(sender_information)
  const blocks = Array.isArray(report_blocks) ? report_blocks : []
  const losses = blocks.flatMap((block) => number(block?.fraction_lost) ?? [])
  return {
    packets: type === 200 ? number(sender.packets) : 0,
    loss: losses.length > 0 ? Math.max(...losses) / 256 : undefined,
  }
}

const name = ({ address, port }: End) => `${address}:${port}`

/** Findings from RTCP reports: a party that sends no audio, or that loses much of what it receives. */
export function mediaFindings(messages: readonly Captured[]): Finding[] {
  const ends = new Map<string, { reports: Report[]; at: number }>()
  for (const { kind, bytes, source, time } of messages) {
    if (kind !== 'rtcp') continue
    const report = reportOf(bytes)
    if (!report) continue
    const known = ends.get(name(source)) ?? { reports: [], at: time }
    known.reports.push(report)
    ends.set(name(source), known)
  }
  const maxPackets = (reports: Report[]) => Math.max(0, ...reports.map((r) => r.packets ?? 0))
  const someoneSends = [...ends.values()].some(({ reports }) => maxPackets(reports) > 0)
  return [...ends].flatMap(([endpoint, { reports, at }]) => {
    const findings: Finding[] = []
    if (reports.length < ENOUGH) return findings
    const isSilent = reports.every(({ packets }) => packets === 0)
    if (isSilent && someoneSends)
      findings.push({
        tone: 'warn',
        text: t(
          '{endpoint} sent no audio while the other side did, according to RTCP. The call may have had one-way audio.',
          { endpoint },
        ),
        message: null,
        at,
      })
    const worst = Math.max(0, ...reports.map(({ loss }) => loss ?? 0))
    if (worst >= LOSS)
      findings.push({
        tone: 'warn',
        text: t('{endpoint} lost up to {percent} % of the audio sent to it, according to RTCP.', {
          endpoint,
          percent: Math.round(worst * 100),
        }),
        message: null,
        at,
      })
    return findings
  })
}
