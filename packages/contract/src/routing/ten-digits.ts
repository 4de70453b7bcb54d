/** North American numbers as (xxx) xxx-xxxx, with an optional leading 1. Undefined for others. */
export function formatTenDigits(number: string): string | undefined {
  const m = /^(1)?([2-9]\d{2})([2-9]\d{2})(\d{4})$/.exec(number)
  return m ? `${m[1] ? '+1 ' : ''}(${m[2]}) ${m[3]}-${m[4]}` : undefined
}
