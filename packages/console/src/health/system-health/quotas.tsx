import { numberText, type SystemHealth, t } from '@switchroom/contract'
import { keysOf } from '../../lib/records'

const LABELS: Record<keyof SystemHealth['quotas'], string> = {
  phone_numbers: t('Phone numbers'),
  applications: t('Applications'),
  users: t('Users'),
  audit_entries: t('Audit log entries a day'),
}

/** How many of each an account may have. */
export const Quotas = ({ quotas }: Pick<SystemHealth, 'quotas'>) => (
  <section className="parts" aria-labelledby="quotas-title">
    <h2 id="quotas-title">{t('Quotas of each account')}</h2>
    <ul>
      {keysOf(LABELS).map((of) => (
        <li key={of}>
          <span className="part-name">{LABELS[of]}</span>
          <span>{quotas[of] === 0 ? t('Unlimited') : numberText(quotas[of])}</span>
        </li>
      ))}
    </ul>
  </section>
)
