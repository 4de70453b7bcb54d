import type { RunStart } from '@switchroom/contract'

/** Form values of a call. */
export type StartValues = {
  from: string
  to: string
  caller_name: string
  /** `id`: of the row on screen. */
  headers: readonly { id: number; name: string; value: string }[]
}

/** A number of a range that nobody has. */
const NOBODY = '+12025550100'

/** Initial values of the form: those of the latest call, or a call to a number of the application. */
export const startValues = (latest: RunStart | undefined, number?: string): StartValues => ({
  from: latest?.from ?? NOBODY,
  to: latest?.to ?? number ?? '+12025550199',
  caller_name: latest?.caller_name ?? '',
  headers: Object.entries(latest?.sip_headers ?? {}).map(([name, value], id) => ({
    id,
    name,
    value,
  })),
})

/** The request to start a run. Empty fields are left out. */
export function startOf({ from, to, caller_name, headers }: StartValues): RunStart {
  const named = headers.filter(({ name, value }) => name.trim() || value.trim())
  return {
    direction: 'inbound',
    from,
    to,
    ...(caller_name.trim() && { caller_name: caller_name.trim() }),
    ...(named.length > 0 && {
      sip_headers: Object.fromEntries(named.map(({ name, value }) => [name.trim(), value])),
    }),
  }
}
