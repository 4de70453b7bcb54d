import { afterAll, beforeAll, expect, it, vi } from 'vitest'

const MESSAGES = {
  'Nothing to do': 'Nichts zu tun',
  'No such {what}': 'Nicht gefunden: {what}',
  carrier: 'Carrier',
  table: 'Tabelle',
  column: 'Spalte',
  Test: 'Testen',
  '{name} hung up{after}.{reason}': '{name} hat aufgelegt{after}.{reason}',
  'after {seconds} seconds': 'nach {seconds} Sekunden',
  'The last backup failed; {ago}. {sentence}':
    'Die letzte Sicherung ist fehlgeschlagen; {ago}. {sentence}',
  'there is none': 'es gibt keine',
  'The disk is full.': 'Die Festplatte ist voll.',
  '1 call|{n} calls': '1 Anruf|{n} Anrufe',
  '{percent} % of 1 call|{percent} % of {n} calls':
    '{percent} % von 1 Anruf|{percent} % von {n} Anrufen',
  'These are missing: {names}': 'Es fehlt: {names}',
  '{from} to {to}': '{from} bis {to}',
  '{carrier} answers {status} to calls to {to}':
    '{carrier} beantwortet Anrufe an {to} mit {status}',
  '{failure}: {failed} of {calls} in {time}.': '{failure}: {failed} von {calls} in {time}.',
}

let fromServer: (said: string) => string
beforeAll(async () => {
  vi.stubGlobal('catalogue', { language: 'de', messages: MESSAGES })
  vi.resetModules()
  fromServer = (await import('./from-server.ts')).fromServer
})
afterAll(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

it.each([
  ['Nothing to do', 'Nichts zu tun'],
  ['No such carrier', 'Nicht gefunden: Carrier'],
  // values may be empty, and messages
  ['10.0.0.1 hung up.', '10.0.0.1 hat aufgelegt.'],
  ['10.0.0.1 hung up after 3 seconds.', '10.0.0.1 hat aufgelegt nach 3 Sekunden.'],
  [
    'The last backup failed; there is none. The disk is full.',
    'Die letzte Sicherung ist fehlgeschlagen; es gibt keine. Die Festplatte ist voll.',
  ],
  // numbers with the separators of the language
  ['1 call', '1 Anruf'],
  ['1,200 calls', '1.200 Anrufe'],
  ['7.4 % of 1,200 calls', '7,4 % von 1.200 Anrufen'],
  ['These are missing: table, column', 'Es fehlt: Tabelle, Spalte'],
  // not what it is of a message that says more by itself
  [
    'Albion answers 503 to calls to +44 77: 2 of 7 calls in 2 h.',
    'Albion beantwortet Anrufe an +44 77 mit 503: 2 von 7 Anrufe in 2 h.',
  ],
  // a name, whatever it says
  ['No such Test', 'Nicht gefunden: Test'],
  // sentence by sentence
  ['Nothing to do. The disk is full.', 'Nichts zu tun. Die Festplatte ist voll.'],
  ['HTTP_PORT: Nothing to do.', 'HTTP_PORT: Nichts zu tun.'],
  ['Sent from A to B', 'Sent from A to B'],
])('shows “%s” in the person’s language', (said, shown) => {
  expect(fromServer(said)).toBe(shown)
})

it('tries no pattern of a message on a long text', () => {
  const exec = vi.spyOn(RegExp.prototype, 'exec')
  const triedOn = (said: string) => {
    exec.mockClear()
    expect(fromServer(said)).toBe(said)
    const patterns = exec.mock.contexts.filter((_, i) => exec.mock.calls[i]![0] === said)
    return new Set(patterns.map(String)).size
  }
  const [short, long] = [triedOn(' hung up'.repeat(50)), triedOn(' hung up'.repeat(51))]
  exec.mockRestore()
  // sentences, the name of an environment variable and a full stop are looked for in both
  expect([short > 5, long]).toEqual([true, 3])
})
