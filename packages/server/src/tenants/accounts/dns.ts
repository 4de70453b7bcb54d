import { createHmac } from 'node:crypto'
import { t } from '@switchroom/contract'
import { z } from 'zod'
import type { Config } from '../../config/config.ts'

const SECONDS = 10
const TTL = 3600

const Zone = z.object({ id: z.number().int() })
const Made = z.object({ id: z.number().int() })
const Named = z.object({ data: z.array(z.object({ id: z.number().int(), name: z.string() })) })

export type DnsRecord = { record_type: 'A' | 'SRV'; record_id: number }
/** A DNS name and the provider's zone that holds it. */
export type Zone = { zone: number; name: string; realm: string }

/** The DNS provider answered with an error status. */
export class DnsRefused extends Error {
  override name = 'DnsRefused'
  readonly status: number
  constructor(status: number, what: string) {
    super(t('The DNS provider answered {status} to {what}', { status, what }))
    this.status = status
  }
}

/** Client of the DNS Made Easy API, version 2.0. Every call throws network errors and time-outs. */
export function dnsMadeEasy({ url, key, secret }: NonNullable<Config['dns']>) {
  async function ask(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) {
    // the signature covers only the request's date
    const date = new Date().toUTCString()
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        'x-dnsme-apikey': key,
        'x-dnsme-requestdate': date,
        'x-dnsme-hmac': createHmac('sha1', secret).update(date).digest('hex'),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(SECONDS * 1000),
    })
    if (answer.ok) return answer
    await answer.body?.cancel()
    throw new DnsRefused(answer.status, `${method} ${path.split('?')[0]}`)
  }
  const records = (zone: number) => `/dns/managed/${zone}/records`
  const srvName = (name: string) => `_sip._udp.${name}`
  /** Undefined for 404. */
  const ignoreMissing = (e: unknown) => {
    if (e instanceof DnsRefused && e.status === 404) return undefined
    throw e
  }

  const remove = async (zone: number, ids: number[]) => {
    for (const id of ids)
      await ask('DELETE', `${records(zone)}/${id}`)
        .then((answer) => answer.body?.cancel())
        .catch(ignoreMissing)
  }

  return {
    remove,

    /** The zone of a realm: its shortest parent domain that the provider holds. */
    async zoneOf(realm: string): Promise<Zone> {
      const labels = realm.split('.')
      for (let i = labels.length - 2; i > 0; i--) {
        const domain = labels.slice(i).join('.')
        const answer = await ask(
          'GET',
          `/dns/managed/name?domainname=${encodeURIComponent(domain)}`,
        ).catch(ignoreMissing)
        if (!answer) continue
        const { id } = Zone.parse(await answer.json())
        return { zone: id, name: labels.slice(0, i).join('.'), realm }
      }
      throw new Error(`The DNS provider has no domain for ${realm}`)
    },

    /** Ids of existing records with these names. */
    async existing({ zone, name }: Zone): Promise<number[]> {
      const ids: number[] = []
      for (const wanted of [name, srvName(name)]) {
        const answer = await ask('GET', `${records(zone)}?recordName=${encodeURIComponent(wanted)}`)
        const { data } = Named.parse(await answer.json())
        ids.push(...data.filter((r) => r.name.toLowerCase() === wanted).map((r) => r.id))
      }
      return ids
    },

    /** Creates an A record per SBC and the SRV records of SIP. All of them, or none. */
    async create({ zone, name, realm }: Zone, addresses: string[]): Promise<DnsRecord[]> {
      const wanted = [
        ...addresses.map((value) => ({ type: 'A' as const, name, value })),
        {
          type: 'SRV' as const,
          name: srvName(name),
          value: `${realm}.`,
          port: 5060,
          priority: 10,
          weight: 100,
        },
      ]
      const made: DnsRecord[] = []
      try {
        for (const record of wanted) {
          const body = { ...record, ttl: TTL, gtdLocation: 'DEFAULT' }
          const answer = await ask('POST', `${records(zone)}/`, body)
          const { id } = Made.parse(await answer.json())
          made.push({ record_type: record.type, record_id: id })
        }
      } catch (e) {
        // the first error is the one to report
        await remove(
          zone,
          made.map((m) => m.record_id),
        ).catch(() => undefined)
        throw e
      }
      return made
    },
  }
}
