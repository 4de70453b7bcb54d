import { plural, t } from '@switchroom/contract'
import { sql } from 'kysely'
import { probe } from '../../../carriers/gateway-probes/probe.ts'
import { kindOf } from '../../../db/open.ts'
import { shapeOf } from '../../../db/shape.ts'
import { guard } from '../../../outbound/guard.ts'
import type { Check } from '../check.ts'
import { notChecked, ok, warning } from '../finding.ts'

/** Most SBCs that are checked. */
const MOST = 20

/** Checks that the registered SBCs answer SIP. */
export const sbcs: Check = {
  name: 'sbcs',
  needs: /^JAMBONES_MYSQL_|^SWITCHROOM_(?:DATA|ALLOW_NETWORKS)$/,
  async run({ database, config }) {
    const opened = await database()
    if ('failure' in opened) return notChecked(t('The database cannot be used.'))
    // the check of tables and columns explains that
    if (!(await shapeOf(opened.it)).has('sbc_addresses')) return undefined
    const { rows } = await sql<{ ipv4: string; port: number }>`
      select distinct ipv4, port from sbc_addresses order by ipv4, port
      limit ${sql.lit(MOST)}`.execute(opened.it)
    if (rows.length === 0)
      return ok(
        kindOf(opened.it) === 'sqlite'
          ? t(
              'SBCs read the platform’s MySQL, not this database. Run npm run carry-over to copy what you enter here to the platform’s database.',
            )
          : t('No SBC has registered.'),
      )
    // administrators may type addresses in, so they are guarded like those of carriers
    const guarded = guard(config.allow_networks)
    const asked = await Promise.all(
      rows.map(async ({ ipv4, port }) => ({
        name: `${ipv4}:${port}`,
        ...(await probe({ ipv4, port, protocol: 'udp', use_sips_scheme: 0 }, guarded)),
      })),
    )
    const found = asked.flatMap(({ name, outcome, reason }) => {
      if (outcome === 'blocked')
        return [
          notChecked(
            t(
              '{name} is an internal address. To check it, add its network to SWITCHROOM_ALLOW_NETWORKS.',
              { name },
            ),
          ),
        ]
      if (outcome !== 'timeout' && outcome !== 'unreachable') return []
      return [
        warning(
          t('The SBC {name} does not answer to SIP OPTIONS from this machine: {reason}.', {
            name,
            reason,
          }),
          t(
            'Make sure that it runs. If it has been removed, delete its address in the settings. If only its firewall is in the way, nothing is wrong.',
          ),
        ),
      ]
    })
    return found.length > 0 ? found : ok(plural(rows.length, '1 SBC answers.|{n} SBCs answer.'))
  },
}
